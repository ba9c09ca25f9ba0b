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
    if (wouldPanic(program, solution.opcode)) return undefined;
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

/**
 * Whether the virtual machine may end its process when this opcode is taken out: its SHA-256 takes for granted that
 * words fit 32 bits. Words out of range are handed to the backend as public words, and are cases of their own.
 */
function wouldPanic(program: Program, opcode: number): boolean {
  return program.opcodes[opcode]?.kind === "range" && usesSha256(program);
}

const sha256Users = new WeakMap<Program, boolean>();

function usesSha256(program: Program): boolean {
  const known = sha256Users.get(program);
  if (known !== undefined) return known;
  const uses = program.opcodes.some((each) => each.kind === "blackbox" && each.box === "Sha256Compression");
  sha256Users.set(program, uses);
  return uses;
}

/** An assignment as the backend takes it: a gzipped witness stack. */
export function packWitness(values: readonly bigint[]): Uint8Array {
  const witness = new Map<number, string>();
  values.forEach((value, i) => {
    witness.set(i, toWord(value));
  });
  return acvm.compressWitnessStack([{ index: 0, witness }]);
}
