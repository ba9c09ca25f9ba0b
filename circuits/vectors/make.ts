import { concat, type Hex, toHex } from "viem";
import { flatNames, flatten } from "../soundness/abi";
import type { Case } from "../soundness/case";
import type { Circuit } from "../soundness/circuit";
import { type VectorCase, writeInputs } from "./schema";

/** What every file says first. */
export const ABOUT =
  "Test vectors of Parley's circuits; circuits/vectors/README.md says what is what. All keys are made from public seeds: they are no secrets, and nothing they sign means anything.";

/** The public inputs of a case, one word each. */
function publicInputsOf(circuit: Circuit, { inputs }: Case): Hex {
  const values = flatten(circuit.abi, inputs);
  return concat(
    flatNames(circuit.abi).flatMap(({ isPublic }, i) =>
      isPublic ? [toHex(values[i] ?? 0n, { size: 32 })] : [],
    ),
  );
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
    inputs: writeInputs(circuit.abi, one.inputs),
    ...(verdict.accepted ? { publicInputs: publicInputsOf(circuit, one) } : {}),
  };
}
