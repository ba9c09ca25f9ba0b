import { type Hex, hexToBigInt, slice } from "viem";
import type { SubmittedProof } from "@/lib/context/proofs";
import { Refusal } from "@/lib/errors";
import { type CircuitId, circuitIdSchema, circuitIds, type Deployment } from "@/lib/proofs/deployment";
import { PublicInputError } from "@/lib/proofs/errors";
import { hex32Schema, hexSchema } from "@/lib/proofs/hex";
import { circuits, decodePublicInputs, type PublicFacts } from "@/lib/proofs/registry";

/** A submitted proof in its one canonical form. */
export interface ReadProof {
  readonly circuit: CircuitId;
  readonly proof: Hex;
  readonly words: readonly Hex[];
  readonly facts: PublicFacts;
}

/** Order of the BN254 base field, in which points have their coordinates (EIP-196). */
const baseFieldModulus = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/**
 * Reads a proof of a circuit this installation verifies, and refuses every second encoding of it.
 * @throws Refusal unknown_circuit, proof_malformed, proof_wrong_circuit, proof_not_canonical
 */
export function readProof(submitted: SubmittedProof, deployment: Deployment): ReadProof {
  const known = circuitIdSchema.safeParse(submitted.circuit);
  if (!known.success || !deployment.verifiers[known.data]) {
    throw new Refusal("unknown_circuit");
  }
  const circuit = known.data;
  const words = wordsOf(submitted.publicInputs, circuit);
  return { circuit, words, facts: factsOf(circuit, words), proof: proofBytes(submitted.proof) };
}

function factsOf(circuit: CircuitId, words: readonly Hex[]): PublicFacts {
  try {
    return decodePublicInputs(circuit, words);
  } catch (error) {
    if (!(error instanceof PublicInputError)) throw error;
    throw new Refusal("proof_not_canonical", {
      field: error.field,
      message: `Public input ${error.field} ${error.rule}.`,
    });
  }
}

/**
 * Whole words, each below the base field's order: a verifier that reduced them would take a word and the word plus
 * the order for one, and a used proof could come back in another spelling. (bb 5's verifiers reduce nothing: they
 * refuse points beyond this order, scalars beyond the smaller scalar order and any other length.)
 */
function proofBytes(submitted: string): Hex {
  const proof = hexSchema.safeParse(submitted);
  if (!proof.success || proof.data === "0x") {
    throw new Refusal("proof_malformed", { field: "proof", message: "The proof is not hex." });
  }
  const bytes = (proof.data.length - 2) / 2;
  if (bytes % 32 !== 0) {
    throw new Refusal("proof_not_canonical", {
      field: "proof",
      message: "The proof is not a whole number of 32-byte words.",
    });
  }
  for (let from = 0; from < bytes; from += 32) {
    if (hexToBigInt(slice(proof.data, from, from + 32)) >= baseFieldModulus) {
      throw new Refusal("proof_not_canonical", {
        field: "proof",
        message: `Word ${from / 32} of the proof is not below the field modulus.`,
      });
    }
  }
  return `0x${proof.data.slice(2).toLowerCase()}`;
}

/**
 * Public inputs as 32-byte words in lower case, from a list or one blob. Only the form is checked here; whether each
 * word is canonical is the layout's business (lib/proofs/registry).
 * @throws Refusal proof_malformed; proof_wrong_circuit for as many words as another circuit has
 */
function wordsOf(input: string | readonly string[], circuit: CircuitId): Hex[] {
  const parts = typeof input === "string" ? splitBlob(input) : input;
  const expected = circuits[circuit].publicWords;
  if (parts.length !== expected) {
    const others = circuitIds.filter((id) => circuits[id].publicWords === parts.length);
    if (others.length > 0) {
      throw new Refusal("proof_wrong_circuit", {
        field: "publicInputs",
        message: `This is a proof of ${others.join(" or ")}, but a proof of ${circuit} is required.`,
      });
    }
    throw new Refusal("proof_malformed", {
      field: "publicInputs",
      message: `${circuit} has ${expected} public inputs of 32 bytes each.`,
    });
  }
  return parts.map((part, index) => {
    const word = hex32Schema.safeParse(part);
    if (word.success) return word.data;
    throw new Refusal("proof_malformed", {
      field: `publicInputs.${index}`,
      message: `Public input ${index} is not 32 bytes of 0x-prefixed hex.`,
    });
  });
}

/** A blob that is not whole words has no number of words that fits. */
function splitBlob(blob: string): string[] {
  const digits = blob.slice(2);
  if (!blob.startsWith("0x") || digits.length % 64 !== 0) return [];
  return digits.match(/.{64}/gs)?.map((word) => `0x${word}`) ?? [];
}
