import type { Hex } from "viem";
import { Refusal } from "@/lib/errors";
import { type CircuitId, circuitIds } from "@/lib/proofs/deployment";
import { hex32Schema } from "@/lib/proofs/hex";
import { circuits } from "@/lib/proofs/registry";

/**
 * Public inputs as 32-byte words in lower case, from a list or one blob. Only the form is checked here; whether each
 * word is canonical is the layout's business (lib/proofs/registry).
 * @throws Refusal proof_malformed; proof_wrong_circuit for as many words as another circuit has
 */
export function wordsOf(input: string | readonly string[], circuit: CircuitId): Hex[] {
  const parts = typeof input === "string" ? splitBlob(input) : input;
  const expected = circuits[circuit].publicWords;
  if (parts.length !== expected) {
    const others = circuitIds.filter((id) => circuits[id].publicWords === parts.length);
    if (others.length > 0) {
      throw new Refusal(
        "proof_wrong_circuit",
        `This proof is of ${others.join(" or ")}; here a proof of ${circuit} is needed.`,
        { field: "publicInputs" },
      );
    }
    throw new Refusal("proof_malformed", `${circuit} has ${expected} public inputs of 32 bytes.`, {
      field: "publicInputs",
    });
  }
  return parts.map((part, index) => {
    const word = hex32Schema.safeParse(part);
    if (word.success) return word.data;
    throw new Refusal("proof_malformed", `Public input ${index} is not 32 bytes of 0x-prefixed hex.`, {
      field: `publicInputs.${index}`,
    });
  });
}

/** A blob that is not whole words has no number of words that fits. */
function splitBlob(blob: string): string[] {
  const digits = blob.slice(2);
  if (!blob.startsWith("0x") || digits.length % 64 !== 0) return [];
  return digits.match(/.{64}/gs)?.map((word) => `0x${word}`) ?? [];
}
