import { createHash, randomInt } from "node:crypto";
import type { Trx } from "@/db/schema";
import { Refusal } from "@/lib/errors";

/** Capitals and digits without those that are read for one another: 0 and O, 1, I and L. */
const alphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** A new invite code: 8 characters, each equally likely (randomInt has no modulo bias), 31^8 codes in all. */
export function newInviteCode(): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** What somebody wrote where an invite belongs: a topic's code, a single-use token, or neither. */
export type Invite =
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "token"; readonly tokenHash: string };

export function readInvite(written: string): Invite | null {
  if (/^[0-9a-f]{16}$/i.test(written)) {
    return { kind: "token", tokenHash: inviteTokenHash(written) };
  }
  const code = written.toUpperCase();
  return /^[0-9A-Z]{8}$/.test(code) ? { kind: "code", code } : null;
}

/** SHA-256 in hex; a token has 64 random bits and lives a week, so a plain hash keeps a stolen table useless. */
export function inviteTokenHash(token: string): string {
  return createHash("sha256").update(token.toLowerCase()).digest("hex");
}

/** Gives a topic, whose row is held, a code nobody has; of 31^8 codes the first is almost always free. */
export async function replaceInviteCode(trx: Trx, topicId: string): Promise<string> {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const code = newInviteCode();
    const changed = await trx
      .updateTable("topics")
      .set({ invite_code: code })
      .where("id", "=", topicId)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("topics as other").select("other.id").where("other.invite_code", "=", code))),
      )
      .returning("invite_code")
      .executeTakeFirst();
    if (changed) return changed.invite_code;
  }
  throw new Error("no free invite code was found");
}

/** @throws Refusal invite_not_found when the topic, whose row is held, has another code by now */
export async function assertInviteCode(trx: Trx, topicId: string, code: string): Promise<void> {
  const current = await trx
    .selectFrom("topics")
    .select("id")
    .where("id", "=", topicId)
    .where("invite_code", "=", code)
    .executeTakeFirst();
  if (!current) throw new Refusal("invite_not_found");
}
