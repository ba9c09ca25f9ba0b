import { createHash, createHmac } from "node:crypto";

/**
 * Returns the token that opens a payment's job: HMAC-SHA-256 of payment and inputs under the installation's secret, so
 * each resend gets the same token although only its hash is stored. The database alone does not reveal it.
 * @param inputHash as in the payment's row
 */
export function jobToken(secret: Uint8Array, paymentId: string, inputHash: string): string {
  return createHmac("sha256", secret).update(`job token\0${paymentId}\0${inputHash}`).digest("base64url");
}

/** Returns what is stored of a token: its SHA-256 in hex, without salt since a token has 256 bits. */
export function jobTokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
