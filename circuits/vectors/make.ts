import { concat, type Hex, toHex } from "viem";
import { circuitIdSchema } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { type Case, type Circuit, flatNames } from "../soundness";
import { type VectorCase, writeInputs } from "./schema";

/** What every file says first. */
export const ABOUT =
  "Test vectors of Parley's circuits; circuits/vectors/README.md says what is what. All keys are made from public seeds: they are no secrets, and nothing they sign means anything.";

/** The public inputs of a case as callers pass them, one word each: without the digest that a verifier appends. */
function publicInputsOf(circuit: Circuit, { inputs }: Case): Hex {
  const values = circuit.flatten(inputs);
  const words = flatNames(circuit.abi).flatMap(({ isPublic }, i) =>
    isPublic ? [toHex(values[i] ?? 0n, { size: 32 })] : [],
  );
  return concat(words.slice(0, circuits[circuitIdSchema.parse(circuit.name)].publicWords));
}

/** Compiler's texts of refusals that are no assertion of ours. */
const NO_TEXT = /^(Cannot satisfy|call to assert_max_bit_size|Index out of bounds)/;

/** Runs a case and writes it down with what the circuit said. @throws Error when that is not what was expected. */
export async function vectorOf(
  circuit: Circuit,
  one: Case,
  expected: VectorCase["expected"],
): Promise<VectorCase> {
  const verdict = await circuit.run(one.inputs, one);
  if (verdict.accepted !== (expected === "accepted")) throw new Error(`${one.name} is not ${expected}`);
  const reason = verdict.accepted || NO_TEXT.test(verdict.reason) ? undefined : verdict.reason;
  return {
    name: one.name,
    expected,
    ...(reason === undefined ? {} : { reason }),
    inputs: writeInputs(circuit.abi, circuit.complete(one.inputs)),
    ...(verdict.accepted ? { publicInputs: publicInputsOf(circuit, one) } : {}),
  };
}
