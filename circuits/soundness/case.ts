import type { Inputs } from "./abi";
import type { Lie } from "./circuit";

/** One thing that is tried against a circuit. */
export interface Case {
  name: string;
  inputs: Inputs;
  /** Parameters changed beyond what their types allow, by their number in the flattened inputs. */
  changes?: ReadonlyMap<number, bigint>;
  /** What a hostile prover says instead of what hints compute. */
  lies?: readonly Lie[];
  /** The honest witness that the case departs from: stands in for hints that cannot be computed. */
  base?: Inputs;
  /** What the refusal must say; the compiler names only some assertions. */
  reason?: RegExp;
}

/** Cases of one comparison of several bytes, words or limbs: each departs from what is right in one of them, and in nothing else. */
export interface Family {
  /** The statement that must refuse them: its file in the workspace, and how its text on one line begins. */
  file: string;
  statement: string;
  cases: Case[];
}

/** The named cases of a circuit: the same for the harness and for vitest. */
export interface Cases {
  /** Must be accepted. */
  honest: Case[];
  /** Must be refused: at least one for every rule and assertion. */
  refused: Case[];
  /** Must be refused: honest inputs, and a hint that lies. */
  hints: Case[];
  /** Must be refused: a second encoding of something that is accepted, written for one rule. `Suite.encodings` has those of every parameter. */
  aliases: Case[];
  /** Must be refused: one case for every byte, word and limb that is compared, signed anew where a signature stands in front. */
  families: Family[];
}
