import { createHash } from "node:crypto";
import { z } from "zod";

/**
 * Accepts any address that a real provider could issue. Lower case, because real providers issue lower case and the
 * circuit proves lower-case domains only.
 */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(128, "That address is longer than 128 characters.")
  .regex(/^[^\s@"\\\p{C}]+@[^@]+$/u, "That is not an email address.")
  .regex(/^[\x21-\x7e]+$/, "Use an address of plain ASCII characters.")
  .refine(
    (v) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(v.slice(v.indexOf("@") + 1)),
    "That is not a domain name.",
  )
  .refine((v) => v.length - v.indexOf("@") - 1 <= 64, "That domain is longer than 64 characters.");

/**
 * Returns the claims for an address. `sub` is stable per address and reveals nothing about it. `xms_edov`, the
 * verified-domain flag of provider_b, is included so that both rule sets work.
 */
export function claimsOf(email: string) {
  const sub = BigInt(`0x${createHash("sha256").update(email).digest("hex").slice(0, 16)}`).toString();
  return { sub, email, email_verified: true, xms_edov: true };
}
