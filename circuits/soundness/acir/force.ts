import { acvm } from "@noir-lang/noir_js";
import type { ConstraintChecker } from "./check";
import { toWord } from "./field";
import type { Program } from "./program";
import { outputsOf, solve, without } from "./solve";

/** A full assignment that violates some constraints, and which those are. */
export interface Forced {
  values: bigint[];
  violated: number[];
}

/** More than this many constraints in the way, and a forced witness says little about any of them. */
const MOST = 45;

/**
 * What a prover with a program of his own can hand to the backend: every constraint in the way of these parameters is
 * taken out of the program until it has a solution. The backend gets the solution with the committed program.
 *
 * @param base an honest assignment: what an opcode that is taken out should give, where `given` does not say.
 * @param given outputs of opcodes that are taken out from the start.
 * @returns undefined when too much is in the way.
 */
export async function forceWitness(
  program: Program,
  checker: ConstraintChecker,
  parameters: readonly bigint[],
  base: readonly bigint[],
  given: ReadonlyMap<number, readonly bigint[]> = new Map(),
): Promise<Forced | undefined> {
  const answers = new Map(given);
  const taken = new Set(given.keys());
  while (taken.size < MOST) {
    const solution = await solve(without(program, taken), program, parameters, answers);
    if (solution.solved) {
      const { values } = solution;
      return {
        values,
        violated: [...taken].filter((opcode) => checker.violated(values, [opcode]) !== undefined),
      };
    }
    taken.add(solution.opcode);
    const outputs = outputsOf(program, solution.opcode);
    if (outputs.length > 0)
      answers.set(
        solution.opcode,
        outputs.map((witness) => base[witness] ?? 0n),
      );
  }
  return undefined;
}

/** An assignment as the backend takes it: a gzipped witness stack. */
export function packWitness(values: readonly bigint[]): Uint8Array {
  const witness = new Map<number, string>();
  values.forEach((value, i) => {
    witness.set(i, toWord(value));
  });
  return acvm.compressWitnessStack([{ index: 0, witness }]);
}
