import { createHmac } from "node:crypto";
import type { Hex } from "viem";
import type { CircuitId } from "@/lib/proofs/deployment";
import { ProverRefusal } from "../refusal";
import type { PaymentRow } from "../store/payments";

/**
 * Returns the only trace of inputs that is stored: HMAC-SHA-256 of circuit and canonical JSON under a secret of the
 * installation. The secret is not in the database, so a copy of the database does not help to test guesses.
 */
export function inputHash(secret: Uint8Array, circuit: string, inputs: unknown): Hex {
  return `0x${createHmac("sha256", secret)
    .update(`${circuit}\n${canonicalJson(inputs)}`)
    .digest("hex")}`;
}

/** Returns JSON with sorted object members, so that equal inputs have equal text. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Hashes of the inputs with their defaults, and as they were sent, which earlier releases stored. */
export type InputHashes = readonly [Hex, Hex];

/** @throws ProverRefusal 409 when a payment was made for another circuit or other inputs */
export function assertSameWork(
  row: Pick<PaymentRow, "circuit" | "input_hash">,
  circuit: CircuitId,
  hashes: InputHashes,
): void {
  if (row.circuit === circuit && hashes.some((hash) => hash === row.input_hash)) return;
  throw new ProverRefusal(409, "PAYMENT_ALREADY_USED", "this payment was already used with other inputs");
}
