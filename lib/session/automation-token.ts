import { createHash, randomBytes } from "node:crypto";

/** Tells a token for automation from a session's, to us and to programs that look for secrets in code. */
const PREFIX = "parley_";
const TOKEN = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{43}$`);

/** Makes a token of 256 random bits. */
export function newAutomationToken(): string {
  return PREFIX + randomBytes(32).toString("base64url");
}

/** Returns whether this has the form of a token for automation; a session's has dots. */
export function isAutomationToken(token: string): boolean {
  return TOKEN.test(token);
}

/** Returns what is stored of a token: nobody who reads it can send the token. */
export function digestOfToken(token: string): string {
  return `sha256:${createHash("sha256").update(token).digest("base64url")}`;
}
