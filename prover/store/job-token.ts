import { createHash, createHmac } from "node:crypto";

/**
 * The token that opens a payment's job: HMAC-SHA-256 of payment and inputs under the secret of the installation, so
 * that each resend is told the same one although only its hash is kept. Whoever has the database has not the secret.
 * @param inputHash as the payment's row has it (`inputHash`)
 */
export function jobToken(secret: Uint8Array, paymentId: string, inputHash: string): string {
  return createHmac("sha256", secret).update(`job token\0${paymentId}\0${inputHash}`).digest("base64url");
}

/** What is written down of a token: its SHA-256, hexadecimal. It has 256 bits, so that a hash needs no salt. */
export function jobTokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
