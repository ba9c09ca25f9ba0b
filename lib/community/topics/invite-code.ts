import { createHash, randomInt } from "node:crypto";

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
