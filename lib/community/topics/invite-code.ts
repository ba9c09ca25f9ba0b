import { createHash, randomInt } from "node:crypto";
import type { Trx } from "@/db/schema";
import { Refusal } from "@/lib/errors";

/** Capital letters and digits without look-alikes: 0 and O; 1, I and L. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** Returns a new invite code: 8 characters, each equally likely (randomInt has no modulo bias), so 31^8 codes. */
export function newInviteCode(): string {
  return Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** An invite as the caller entered it: a topic's code or a single-use token. */
export type Invite =
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "token"; readonly tokenHash: string };

/** Reads an invite; null if the text is neither a code nor a token. */
export function readInvite(written: string): Invite | null {
  if (/^[0-9a-f]{16}$/i.test(written)) {
    return { kind: "token", tokenHash: inviteTokenHash(written) };
  }
  const code = written.toUpperCase();
  return /^[0-9A-Z]{8}$/.test(code) ? { kind: "code", code } : null;
}

/** Returns the SHA-256 in hex, which protects a stolen table: a token has 64 random bits and is valid for a week. */
export function inviteTokenHash(token: string): string {
  return createHash("sha256").update(token.toLowerCase()).digest("hex");
}

/** Gives a topic, whose row is locked, an unused code; of 31^8 codes, the first is almost always unused. */
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
  throw new Error("no unused invite code was found");
}

/** @throws Refusal invite_not_found unless the topic, whose row is locked, still has this code */
export async function assertInviteCode(trx: Trx, topicId: string, code: string): Promise<void> {
  const current = await trx
    .selectFrom("topics")
    .select("id")
    .where("id", "=", topicId)
    .where("invite_code", "=", code)
    .executeTakeFirst();
  if (!current) throw new Refusal("invite_not_found");
}
