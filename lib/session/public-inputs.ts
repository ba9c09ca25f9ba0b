import type { Hex } from "viem";
import { Refusal } from "@/lib/errors";
import { hex32Schema } from "@/lib/proofs/hex";

/**
 * Public inputs as 32-byte words in lower case, from a list or one blob. Only the form is checked here; whether each
 * word is canonical is the layout's business (lib/proofs/registry).
 * @throws Refusal proof_malformed
 */
export function wordsOf(input: string | readonly string[], expected: number): Hex[] {
  const parts = typeof input === "string" ? splitBlob(input) : input;
  if (parts.length !== expected) {
    throw new Refusal("proof_malformed", `This circuit has ${expected} public inputs of 32 bytes.`, {
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
