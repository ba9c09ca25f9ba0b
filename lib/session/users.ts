import { createHash, randomBytes, randomInt } from "node:crypto";
import type { Db, Trx } from "@/db/schema";

/** A user as sessions need it. */
export interface SessionUser {
  readonly userId: string;
  readonly nickname: string;
  readonly nicknameSet: boolean;
}

/** No 0/o, 1/l/i: people read these names to each other. */
const nicknameAlphabet = "23456789abcdefghjkmnpqrstuvwxyz";

/** `anon_` and 8 random characters: what a user is called until it chooses. */
function generatedNickname(): string {
  return `anon_${Array.from({ length: 8 }, () => nicknameAlphabet[randomInt(nicknameAlphabet.length)]).join("")}`;
}

/** The form nicknames are compared in: "Ada" and "ada" are one name. */
export function nicknameKey(nickname: string): string {
  return nickname.toLowerCase();
}

/** Opaque user id of an identity hash: one way, so the id does not lead back to the row's identity_hash. */
function userIdOf(identityHash: string): string {
  return `u_${createHash("sha256").update(`parley user id\0${identityHash}`).digest("hex").slice(0, 32)}`;
}

/** The user with this identity (a keyed hash, see identity.ts), made at its first sign-in. */
export async function userWithIdentity(db: Db | Trx, identityHash: string): Promise<SessionUser> {
  // Whoever withdrew leaves a row without identity but with the id that the identity would give again: the next
  // user of that identity then starts under a random id and shares nothing with the withdrawn one.
  for (const id of [userIdOf(identityHash), `u_${randomBytes(16).toString("hex")}`]) {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const found = await findUser(db, "identity_hash", identityHash);
      if (found) return found;
      // A conflict is the same sign-in twice at once (found in the next round), a generated name that exists, or a
      // taken id.
      await insertUser(db, { id, identityHash, nickname: generatedNickname(), nicknameSet: false });
    }
  }
  throw new Error("no free nickname or user id was found");
}

/** The user with this nickname, made when there is none (development sign-in). */
export async function userWithNickname(db: Db, nickname: string, identityHash: string): Promise<SessionUser> {
  const key = nicknameKey(nickname);
  const found = await findUser(db, "nickname_key", key);
  if (found) return found;
  await insertUser(db, { id: userIdOf(identityHash), identityHash, nickname, nicknameSet: true });
  // Ours, or that of the same call made at once.
  const made = await findUser(db, "nickname_key", key);
  if (!made) throw new Error("the nickname belongs to a withdrawn account");
  return made;
}

interface NewUser extends SessionUserFields {
  readonly id: string;
  readonly identityHash: string;
}
type SessionUserFields = Pick<SessionUser, "nickname" | "nicknameSet">;

/** Inserts a user, or nothing when id, identity or nickname exist. */
async function insertUser(db: Db | Trx, { id, identityHash, nickname, nicknameSet }: NewUser): Promise<void> {
  await db
    .insertInto("users")
    .values({
      id,
      identity_hash: identityHash,
      nickname,
      nickname_key: nicknameKey(nickname),
      nickname_set: nicknameSet,
      profile_image: null,
      deleted_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function findUser(
  db: Db | Trx,
  column: "identity_hash" | "nickname_key",
  value: string,
): Promise<SessionUser | undefined> {
  const row = await db
    .selectFrom("users")
    .select(["id", "nickname", "nickname_set"])
    .where(column, "=", value)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row && { userId: row.id, nickname: row.nickname, nicknameSet: row.nickname_set };
}
