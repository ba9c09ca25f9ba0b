import { createHmac } from "node:crypto";
import {
  isValidPaymentId,
  PAYMENT_ID_MAX_LENGTH,
  PAYMENT_ID_MIN_LENGTH,
  PAYMENT_IDENTIFIER,
} from "@x402/extensions/payment-identifier";
import { getAddress, type Hex } from "viem";
import { z } from "zod";
import type { PaymentPayload } from "@/lib/proofs/wire";

/** What a payment identifier must look like, for the client whose own does not. */
export const IDENTIFIER_RULE = `the payment-identifier must have ${PAYMENT_ID_MIN_LENGTH} to ${PAYMENT_ID_MAX_LENGTH} letters, digits, - or _`;

const extensionSchema = z.object({
  info: z.object({ id: z.string().refine(isValidPaymentId).optional() }),
});

/**
 * Reads the x402 extension "payment-identifier": the client's name for a purchase, which it keeps when it signs anew. The
 * package's own validation is no choice: it compiles whatever JSON Schema the client sends.
 * @returns undefined if the client names none, null if the name is malformed
 */
export function readIdentifier({ extensions }: PaymentPayload): string | undefined | null {
  const extension = extensions?.[PAYMENT_IDENTIFIER];
  if (extension === undefined) return undefined;
  const read = extensionSchema.safeParse(extension);
  return read.success ? read.data.info.id : null;
}

/**
 * Returns the only trace of an identifier that is stored: HMAC-SHA-256 of payer and identifier under the installation's
 * secret. Payers choose theirs independently, so one payer's name never reaches another's purchase.
 */
export function identifierHash(secret: Uint8Array, payer: string, identifier: string): Hex {
  const mac = createHmac("sha256", secret).update("payment identifier\0");
  return `0x${mac.update(`${getAddress(payer)}\0${identifier}`).digest("hex")}`;
}
