import type { CircuitName } from "@/lib/proofs/deployment";
import type { Case } from "../case";
import type { Circuit } from "../circuit";
import { spread } from "../groups/group";
import { shapeProblems } from "../shape";
import type { Suite } from "../suites";
import { compileEdited, type Mutant } from "./mutant";

/** What became of a mutant. */
export interface Outcome {
  /** The mutant's digest. */
  digest: string;
  /**
   * `caught`: something that runs with `npm test` notices. `unchanged`: the compiler makes the same circuit. `invalid`: it does not
   * compile, or takes other parameters. `survived`: nothing notices.
   */
  outcome: "caught" | "unchanged" | "invalid" | "survived";
  /** What noticed: a case that is then accepted, an honest one that is then refused, or the circuit's shape. */
  by?: string;
  /** Of the family of the statement that was taken out: cases, and how many of them are then accepted. */
  family?: { cases: number; accepted: number };
}

/** Second encodings of the sample that comes after all named cases. */
const SAMPLE = 40;

/** Looks for something that notices a fault. */
export class Hunter {
  readonly #suite: Suite;
  readonly #circuit: CircuitName;

  private constructor(circuit: CircuitName, suite: Suite) {
    this.#circuit = circuit;
    this.#suite = suite;
  }

  /** @throws Error when the committed artifact is not what the sources compile to: nothing could be compared with it. */
  static async of(circuit: CircuitName, suite: Suite): Promise<Hunter> {
    if (!isSame(await compileEdited(circuit, []), suite.circuit)) {
      throw new Error(`${circuit} is not what its sources compile to: run npm run circuits:build`);
    }
    return new Hunter(circuit, suite);
  }

  /** Compiles a mutant and tries what could notice it, the likeliest first. */
  async hunt(mutant: Mutant): Promise<Outcome> {
    const { digest, kind } = mutant;
    let circuit: Circuit;
    try {
      circuit = await compileEdited(this.#circuit, mutant.edits);
    } catch {
      return { digest, outcome: "invalid" };
    }
    if (isSame(circuit, this.#suite.circuit)) return { digest, outcome: "unchanged" };
    if (JSON.stringify(circuit.abi.parameters) !== JSON.stringify(this.#suite.circuit.abi.parameters)) {
      return { digest, outcome: "invalid" };
    }
    if (kind === "removal") {
      const family = await this.#family(mutant, circuit);
      const by = await this.#accepted(mutant, circuit);
      return { digest, outcome: by ? "caught" : "survived", ...(by && { by }), ...(family && { family }) };
    }
    // What costs least first: hours go by otherwise.
    const by =
      this.#otherShape(circuit) ??
      (await this.#honestRefused(circuit)) ??
      (await this.#accepted(mutant, circuit));
    return { digest, outcome: by ? "caught" : "survived", ...(by && { by }) };
  }

  #otherShape(circuit: Circuit): string | undefined {
    const [problem] = shapeProblems(this.#circuit, circuit.program);
    return problem && `shape: ${problem}`;
  }

  async #honestRefused(circuit: Circuit): Promise<string | undefined> {
    for (const { name, inputs } of this.#suite.cases.honest) {
      // Without a base: a circuit that refuses it, too, could say nothing.
      const verdict = await circuit.run(inputs).catch(() => undefined);
      if (verdict?.accepted === false) return `honest: ${name}`;
    }
    return undefined;
  }

  async #accepted(mutant: Mutant, circuit: Circuit): Promise<string | undefined> {
    const { first, rest } = this.#ordered(mutant);
    for (const one of [...first, ...rest]) if (await accepts(circuit, one)) return `accepted: ${one.name}`;
    return undefined;
  }

  /** How many cases of the removed statement's family are accepted without it. */
  async #family(mutant: Mutant, circuit: Circuit): Promise<Outcome["family"]> {
    const families = this.#suite.cases.families.filter(
      ({ file, statement }) => file === mutant.file && mutant.text.startsWith(statement),
    );
    const cases = families.flatMap((family) => family.cases);
    if (cases.length === 0) return undefined;
    let accepted = 0;
    for (const one of cases) if (await accepts(circuit, one)) accepted++;
    return { cases: cases.length, accepted };
  }

  /** The named cases: those first that are made to be refused with the text of the mutant's statement, or by a range. */
  #ordered({ text, kind }: Mutant): { first: Case[]; rest: Case[] } {
    const { refused, hints, aliases, families } = this.#suite.cases;
    const isRange = kind === "removal" || kind === "width";
    const message =
      /"([^"]*: [^"]*)"/.exec(text)?.[1] ?? (isRange ? "call to assert_max_bit_size" : undefined);
    const first: Case[] = [];
    const byReason = new Map<string, Case[]>();
    for (const one of [
      ...refused,
      ...hints,
      ...aliases,
      ...families.flatMap(({ cases }) => spread(cases, 8)),
    ]) {
      const reason = one.reason?.source ?? one.lies?.[0]?.hint ?? "";
      const isMade = message !== undefined && reason !== "." && one.reason?.test(message);
      if (isMade) first.push(one);
      else byReason.set(reason, [...(byReason.get(reason) ?? []), one]);
    }
    const tried = new Set([...first, ...[...byReason.values()].flat()]);
    const others = families.flatMap(({ cases }) => cases.filter((one) => !tried.has(one)));
    const rest = [...interleaved([...byReason.values()]), ...others];
    return { first, rest: [...rest, ...spread(this.#suite.encodings, SAMPLE)] };
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

/** Whether a circuit accepts a case. What lies to a call that the circuit no longer makes shows nothing. */
export async function accepts(circuit: Circuit, { inputs, ...options }: Case): Promise<boolean> {
  const calls = circuit.hints();
  const isMoot = ({ hint, call = 0 }: { hint: string; call?: number }) => call >= (calls.get(hint) ?? 0);
  if (options.lies?.some(isMoot)) return false;
  try {
    return (await circuit.run(inputs, options)).accepted;
  } catch {
    // A lie that is none there, or a failure that no constraint is the reason of: neither shows anything.
    return false;
  }
}
