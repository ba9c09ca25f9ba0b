import { z } from "zod";
import { hexSchema } from "./hex";

/**
 * What the prover signs about a settled payment, as EIP-712 data under the key that its /.well-known/x402 names. A buyer
 * can show it to anyone, and anyone can check it without us.
 */

const common = {
  version: z.literal(1),
  /** CAIP-2. */
  network: z.string(),
  resourceUrl: z.string(),
  payer: z.string(),
  /** Seconds. */
  issuedAt: z.int().nonnegative(),
  /** The settlement: its hash on chain, or a gateway's name for it. */
  transaction: z.string(),
};
const signed = { format: z.literal("eip712"), signature: hexSchema };

/** The proof was delivered: a receipt of the x402 extension "offer-receipt". */
export const receiptSchema = z.object({ ...signed, payload: z.object(common) });
export type Receipt = z.infer<typeof receiptSchema>;

/** The payment got no proof, and its payer has a credit of the amount (atomic units): our own x402 extension "credit-note". */
export const creditNoteSchema = z.object({
  ...signed,
  payload: z.object({ ...common, amount: z.string() }),
});
export type CreditNote = z.infer<typeof creditNoteSchema>;

/** Name of the x402 extension that carries a credit note. */
export const CREDIT_NOTE = "credit-note";

/** EIP-712 domain and types of a credit note, in the manner of the receipt's. */
export const creditNoteTypes = {
  domain: { name: "x402 credit note", version: "1", chainId: 1 },
  primaryType: "CreditNote",
  types: {
    CreditNote: [
      { name: "version", type: "uint256" },
      { name: "network", type: "string" },
      { name: "resourceUrl", type: "string" },
      { name: "payer", type: "string" },
      { name: "amount", type: "string" },
      { name: "issuedAt", type: "uint256" },
      { name: "transaction", type: "string" },
    ],
  },
} as const;
