import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { CircuitId } from "@/lib/proofs/deployment";
import { compileCircuit } from "@/scripts/circuits/compile";
import { CIRCUITS_DIR } from "@/scripts/circuits/paths";
import type { Inputs } from "./abi";
import { type Assertion, packagesOf } from "./assertions";
import type { Case } from "./case";
import { Circuit, type RunOptions } from "./circuit";
import { spread } from "./groups/group";
import type { Suite } from "./suites";

/** What happened when an assertion was taken out of the sources. */
export interface Removal {
  circuit: CircuitId;
  assertion: Pick<Assertion, "file" | "line" | "text">;
  /**
   * `missed`: a case that must fail is then accepted, so the corpus tests this assertion. `unchanged`: the compiler makes
   * the same circuit without it. `survived`: every case is still refused.
   */
  outcome: "missed" | "unchanged" | "survived";
  /** The case that is accepted without it. */
  by?: string;
}

/** Takes assertions out of a circuit's sources, one at a time, and looks whether the cases notice. */
export class Remover {
  readonly #suite: Suite;
  /** Why each case is refused by the committed circuit. */
  readonly #reasons = new Map<Case, string>();

  readonly #circuit: CircuitId;

  private constructor(circuit: CircuitId, suite: Suite) {
    this.#circuit = circuit;
    this.#suite = suite;
  }

  /** @throws Error when the committed artifact is not what the sources compile to: nothing could be compared with it. */
  static async of(circuit: CircuitId, suite: Suite): Promise<Remover> {
    const whole = await compileWithout(circuit, undefined);
    if (!isSame(whole, suite.circuit)) {
      throw new Error(`${circuit} is not what its sources compile to: run npm run circuits:build`);
    }
    return new Remover(circuit, suite);
  }

  async remove(assertion: Assertion): Promise<Removal> {
    const { file, line, text } = assertion;
    const found = { circuit: this.#circuit, assertion: { file, line, text } };
    const mutant = await compileWithout(this.#circuit, assertion);
    if (isSame(mutant, this.#suite.circuit)) {
      return { ...found, outcome: "unchanged" };
    }
    for (const { name, inputs, ...options } of await this.#ordered(assertion)) {
      if (await accepts(mutant, inputs, options)) return { ...found, outcome: "missed", by: name };
    }
    return { ...found, outcome: "survived" };
  }

  /** The cases, those first that the committed circuit refuses by this very assertion. */
  async #ordered({ message }: Assertion): Promise<Case[]> {
    const { refused, hints, aliases } = this.#suite.cases;
    const first: Case[] = [];
    const byReason = new Map<string, Case[]>();
    for (const one of [...refused, ...hints]) {
      const reason = await this.#reasonOf(one);
      const fits =
        message === undefined ? /assert_max_bit_size|Cannot satisfy/.test(reason) : reason === message;
      if (fits) first.push(one);
      else byReason.set(reason, [...(byReason.get(reason) ?? []), one]);
    }
    return [...first, ...interleaved([...byReason.values()]), ...spread(aliases, 200)];
  }

  async #reasonOf(one: Case): Promise<string> {
    const known = this.#reasons.get(one);
    if (known !== undefined) return known;
    const verdict = await this.#suite.circuit.run(one.inputs, one);
    const reason = verdict.accepted ? "" : verdict.reason;
    this.#reasons.set(one, reason);
    return reason;
  }
}

/** The first of each list, then the second of each, and so on: the case that is looked for is then found soon. */
function interleaved<T>(lists: readonly T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

function isSame(one: Circuit, other: Circuit): boolean {
  return Buffer.from(one.program.bytes).equals(Buffer.from(other.program.bytes));
}

/** Whether a circuit accepts. What lies to a call that the circuit no longer makes shows nothing. */
async function accepts(circuit: Circuit, inputs: Inputs, options: RunOptions): Promise<boolean> {
  const calls = circuit.hints();
  if (options.lies?.some(({ hint, call = 0 }) => call >= (calls.get(hint) ?? 0))) return false;
  return (await circuit.run(inputs, options)).accepted;
}

/** Compiles a circuit from a copy of its sources that lacks one statement, or none. */
async function compileWithout(circuit: string, assertion: Assertion | undefined): Promise<Circuit> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "parley-removal-"));
  try {
    for (const folder of packagesOf(circuit)) {
      fs.cpSync(path.join(CIRCUITS_DIR, folder), path.join(root, folder), { recursive: true });
    }
    if (assertion) {
      const { file, start, end, text } = assertion;
      const source = fs.readFileSync(path.join(root, file), "utf8");
      if (source.slice(start, end).replace(/\s+/g, " ") !== text)
        throw new Error(`${file} changed meanwhile`);
      fs.writeFileSync(path.join(root, file), source.slice(0, start) + source.slice(end));
    }
    return new Circuit(await compileCircuit(root, circuit));
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
