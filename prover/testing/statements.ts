import { type Address, type Hex, recoverTypedDataAddress } from "viem";
import { type CreditNote, creditNoteTypes } from "@/lib/proofs/receipts";

/** Recovers who signed a credit note, as its payer would. */
export async function creditNoteSigner({ payload, signature }: CreditNote): Promise<Address> {
  const message = { ...payload, version: BigInt(payload.version), issuedAt: BigInt(payload.issuedAt) };
  return await recoverTypedDataAddress({ ...creditNoteTypes, message, signature: signature satisfies Hex });
}
