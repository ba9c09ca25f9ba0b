import { createHash, randomBytes, randomInt } from "node:crypto";
import type { Db, Trx } from "@/db/schema";

export interface SessionUser {
  readonly userId: string;
  readonly nickname: string;
  readonly nicknameSet: boolean;
}

/** No 0/o, 1/l/i: people read these names to each other. */
const NICKNAME_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

/** Returns `anon_` and 8 random characters: a user's name until they choose one. */
export function generatedNickname(): string {
  return `anon_${Array.from({ length: 8 }, () => NICKNAME_ALPHABET[randomInt(NICKNAME_ALPHABET.length)]).join("")}`;
}

/** Returns the form in which nicknames are compared: "Ada" and "ada" are the same name. */
export function nicknameKey(nickname: string): string {
  return nickname.toLowerCase();
}

/** Returns the user id of an identity hash: one-way, so the id does not lead back to the row's identity_hash. */
function userIdOf(identityHash: string): string {
  return `u_${createHash("sha256").update(`parley user id\0${identityHash}`).digest("hex").slice(0, 32)}`;
}

/**
 * Returns the user with this identity (a keyed hash, see identity.ts), created at the first sign-in.
 * @param isConsumer whether it is an address of a consumer mail provider
 */
export async function userWithIdentity(
  db: Db | Trx,
  identityHash: string,
  isConsumer = false,
): Promise<SessionUser> {
  // A deleted account leaves a row without identity, but with the id the identity would give again. The identity's
  // next user starts under a random id and shares nothing with the deleted account.
  for (const id of [userIdOf(identityHash), `u_${randomBytes(16).toString("hex")}`]) {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const found = await findUser(db, "identity_hash", identityHash);
      if (found) return found;
      // A conflict is a parallel sign-in (found in the next round), or a nickname or id that is taken.
      const nickname = generatedNickname();
      await insertUser(db, { id, identityHash, nickname, nicknameSet: false, isConsumer });
    }
  }
  throw new Error("no free nickname or user id was found");
}

/** Returns the user with this nickname, created if needed (development sign-in). */
export async function userWithNickname(db: Db, nickname: string, identityHash: string): Promise<SessionUser> {
  const key = nicknameKey(nickname);
  const found = await findUser(db, "nickname_key", key);
  if (found) return found;
  const id = userIdOf(identityHash);
  await insertUser(db, { id, identityHash, nickname, nicknameSet: true, isConsumer: false });
  // Our row, or that of a parallel call.
  const made = await findUser(db, "nickname_key", key);
  if (!made) throw new Error("the nickname belongs to a withdrawn account");
  return made;
}

interface NewUser extends Omit<SessionUser, "userId"> {
  readonly id: string;
  readonly identityHash: string;
  readonly isConsumer: boolean;
}

/** Inserts a user; does nothing if id, identity or nickname exist. */
async function insertUser(
  db: Db | Trx,
  { id, identityHash, nickname, nicknameSet, isConsumer }: NewUser,
): Promise<void> {
  await db
    .insertInto("users")
    .values({
      id,
      identity_hash: identityHash,
      nickname,
      nickname_key: nicknameKey(nickname),
      nickname_set: nicknameSet,
      profile_image: null,
      consumer_mail: isConsumer,
      deleted_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findUser(
  db: Db | Trx,
  column: "id" | "identity_hash" | "nickname_key",
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
