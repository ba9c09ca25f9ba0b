import fs from "node:fs";
import path from "node:path";
import { abi as noirAbi } from "@noir-lang/noir_js";
import { type Hex, hexToBytes, zeroHash } from "viem";
import { PublicInputError } from "@/lib/proofs/errors";
import { DIGEST_WORDS, signedDigest } from "@/lib/proofs/signed-digest";
import { attestedCircuits } from "@/lib/proofs/trust/attesters";
import { formatWords } from "@/lib/proofs/words";
import type { Abi, CircuitArtifact } from "@/scripts/circuits/compile";
import { ARTIFACTS_DIR } from "@/scripts/circuits/paths";
import { flatNames, flatten, type Inputs } from "./abi";
import { type Program, readProgram } from "./acir/program";
import { type Answers, type Solution, solve, withoutHints } from "./acir/solve";
import { type Division, divisionAnswers } from "./divisions";

/** What a hostile prover says instead of what a hint computes. */
export interface Lie {
  /** The hint: name of an unconstrained function, or of one that the compiler adds. */
  hint: string;
  /** Which call of it, in the order of the program; default the first. */
  call?: number;
  /** The wrong answer, from the honest one. */
  change(honest: bigint[]): bigint[];
  /** The inputs alone are hostile: a faulty circuit's hint may say the very same. */
  mayBeHonest?: true;
}

/** What a circuit said. */
export type Verdict =
  | { accepted: true; values: bigint[]; forced: string[] }
  | { accepted: false; opcode: number; reason: string; forced: string[] };

/** How a run departs from honesty. */
export interface RunOptions {
  lies?: readonly Lie[];
  /** Parameters changed, by their number in the flattened inputs. */
  changes?: ReadonlyMap<number, bigint>;
  /** An honest witness: its hints' answers are used where those of `inputs` cannot be computed. */
  base?: Inputs;
}

/** RSA's hints, and the parameters that alone decide what they say. */
const DIVISIONS = ["quotient_and_remainder", "quotient_only"];
const THEIR_PARAMETERS = ["pubkey_modulus_limbs", "redc_params_limbs", "signature_limbs"];

/** A compiled circuit that can be executed, with any hint answered by the caller. No proof is made. */
export class Circuit {
  readonly name: string;
  readonly abi: Abi;
  readonly program: Program;
  /** Parameters that are the signed digest, and the public ones before it. */
  readonly #digest: readonly number[];
  readonly #words: readonly number[];
  readonly #divisions: readonly Division[];
  /** Parameters that are the modulus, the quotient constant and the signature of RSA. */
  readonly #verification: readonly (readonly number[])[];
  readonly #zipped = new Map<string, Uint8Array>();
  readonly #honest = new WeakMap<Inputs, Promise<Solution>>();

  constructor({ name, abi, bytecode }: Pick<CircuitArtifact, "name" | "abi" | "bytecode">) {
    this.name = name;
    this.abi = abi;
    this.program = readProgram(bytecode);
    const names = flatNames(abi);
    const isDigest = (name: string) => name.startsWith("signed_digest[");
    this.#digest = names.flatMap(({ name }, i) => (isDigest(name) ? [i] : []));
    this.#words = names.flatMap(({ name, isPublic }, i) => (isPublic && !isDigest(name) ? [i] : []));
    this.#divisions = this.program.opcodes.flatMap((one, opcode) =>
      one.kind === "hint" && DIVISIONS.includes(one.hint)
        ? [{ opcode, hasRemainder: one.hint === DIVISIONS[0] }]
        : [],
    );
    this.#verification = THEIR_PARAMETERS.map((parameter) =>
      names.flatMap(({ name }, i) => (name.startsWith(`${parameter}[`) ? [i] : [])),
    );
  }

  /** A committed artifact. circuits/test/compiled.circuits.test.ts proves that it is what the sources compile to. */
  static committed(name: string): Circuit {
    const artifact: CircuitArtifact = JSON.parse(
      fs.readFileSync(path.join(ARTIFACTS_DIR, `${name}.json`), "utf8"),
    );
    return new Circuit({ ...artifact, name });
  }

  /** The inputs with the digest that a verifier computes from the public ones, unless they name another. */
  complete(inputs: Inputs): Inputs {
    if (this.#digest.length === 0 || inputs.signed_digest !== undefined) return inputs;
    const values = flatten(this.abi, { ...inputs, signed_digest: Array(DIGEST_WORDS).fill(0) });
    return { ...inputs, signed_digest: [...hexToBytes(this.#digestOf(values) ?? zeroHash)] };
  }

  /** The complete inputs as field elements, in the order of the parameters. */
  flatten(inputs: Inputs): bigint[] {
    return flatten(this.abi, this.complete(inputs));
  }

  /**
   * Changes of parameters as they reach the circuit: with other public words comes the digest that a verifier computes
   * from them, whatever the prover says.
   */
  asVerified(values: readonly bigint[], changes: ReadonlyMap<number, bigint>): ReadonlyMap<number, bigint> {
    const isOther = (word: number) => (changes.get(word) ?? values[word]) !== values[word];
    if (this.#digest.length === 0 || !this.#words.some(isOther)) return changes;
    const digest = this.#digestOf(values.map((value, i) => changes.get(i) ?? value));
    if (digest === undefined) return changes;
    const bytes = hexToBytes(digest);
    return new Map([
      ...changes,
      ...this.#digest.map((at, i): [number, bigint] => [at, BigInt(bytes[i] ?? 0)]),
    ]);
  }

  /** The digest of public words; undefined when they are no bytes, which no verifier front lets through. */
  #digestOf(values: readonly bigint[]): Hex | undefined {
    const id = attestedCircuits.find((one) => one === this.name);
    if (id === undefined) throw new RangeError(`no wallet signs for ${this.name}`);
    try {
      return signedDigest(id, formatWords(this.#words.map((word) => values[word] ?? 0n)));
    } catch (error) {
      if (error instanceof PublicInputError) return undefined;
      throw error;
    }
  }

  /** Opcodes of the calls of a hint, in the order of the program. */
  callsOf(hint: string): number[] {
    return this.program.opcodes.flatMap((opcode, i) =>
      opcode.kind === "hint" && opcode.hint === hint ? [i] : [],
    );
  }

  /** The hints of the circuit, with the number of calls. */
  hints(): Map<string, number> {
    const calls = new Map<string, number>();
    for (const opcode of this.program.opcodes) {
      if (opcode.kind === "hint") calls.set(opcode.hint, (calls.get(opcode.hint) ?? 0) + 1);
    }
    return calls;
  }

  /** Texts that the compiled circuit refuses with: those of our assertions, and the compiler's own. */
  refusalTexts(): Set<string> {
    return new Set(
      Object.values(this.abi.error_types ?? {}).flatMap((type) =>
        type !== undefined && "string" in type && typeof type.string === "string" ? [type.string] : [],
      ),
    );
  }

  /** All witnesses of an honest run. @throws Error when the circuit refuses. */
  async witness(inputs: Inputs): Promise<bigint[]> {
    const verdict = await this.run(inputs);
    if (!verdict.accepted) throw new Error(`${this.name} refuses an honest witness: ${verdict.reason}`);
    return verdict.values;
  }

  /**
   * Whether the constraints accept the inputs, with the hints' honest answers but for the lies.
   *
   * A hint whose own code fails has refused nothing, since a hostile prover would not run it. Its answer is then
   * put in its place, once as in the run of `base` and once as zeros, until a constraint decides.
   * The divisions of RSA are worked out here (divisions.ts).
   */
  async run(inputs: Inputs, { lies = [], base, changes = new Map() }: RunOptions = {}): Promise<Verdict> {
    const parameters = this.flatten(inputs);
    for (const [parameter, value] of this.asVerified(parameters, changes)) parameters[parameter] = value;
    const lied = new Map<number, readonly bigint[]>();
    if (lies.length > 0) {
      const honest = await this.#honestValues(inputs, base);
      for (const lie of lies) lied.set(...this.#answer(lie, honest));
    }
    const answers = new Map([...this.#divided(parameters, lied), ...lied]);
    const first = await this.#settle(parameters, answers, base);
    if (first.accepted || first.forced.length === 0 || base === undefined) return first;
    const second = await this.#settle(parameters, answers, undefined);
    return second.accepted ? second : first;
  }

  async #settle(parameters: bigint[], given: Answers, base: Inputs | undefined): Promise<Verdict> {
    const answers = new Map(given);
    const forced: string[] = [];
    for (;;) {
      const solution = await solve(this.#without(answers), this.program, parameters, answers);
      if (solution.solved) return { accepted: true, values: solution.values, forced };
      if (solution.hint === undefined) {
        return { accepted: false, opcode: solution.opcode, reason: this.#reason(solution), forced };
      }
      const values = base ? await this.#honestValues(base) : [];
      answers.set(
        solution.opcode,
        this.#outputs(solution.opcode).map((output) => values[output] ?? 0n),
      );
      forced.push(solution.hint);
    }
  }

  #divided(parameters: readonly bigint[], lied: Answers): Answers {
    const [modulus = [], redc = [], signature = []] = this.#verification.map((numbers) =>
      numbers.map((i) => parameters[i] ?? 0n),
    );
    return divisionAnswers(this.#divisions, { modulus, redc, signature }, lied);
  }

  #outputs(opcode: number): number[] {
    const hint = this.program.opcodes[opcode];
    if (hint?.kind !== "hint") throw new RangeError(`opcode ${opcode} is no hint`);
    return hint.outputs;
  }

  #answer({ hint, call = 0, change, mayBeHonest }: Lie, honest: bigint[]): [number, bigint[]] {
    const opcode = this.callsOf(hint)[call];
    if (opcode === undefined) throw new RangeError(`${this.name} has no call ${call} of ${hint}`);
    const right = this.#outputs(opcode).map((output) => honest[output] ?? 0n);
    const wrong = change([...right]);
    if (!mayBeHonest && wrong.every((value, i) => value === right[i]))
      throw new Error(`call ${call} of ${hint}: this is no lie`);
    return [opcode, wrong];
  }

  async #honestValues(inputs: Inputs, otherwise?: Inputs): Promise<bigint[]> {
    let solution = this.#honest.get(inputs);
    if (!solution) {
      const parameters = this.flatten(inputs);
      const answers = this.#divided(parameters, new Map());
      solution = solve(this.#without(answers), this.program, parameters, answers);
      this.#honest.set(inputs, solution);
    }
    const solved = await solution;
    if (solved.solved) return solved.values;
    if (otherwise) return this.#honestValues(otherwise);
    throw new Error(`${this.name} refuses an honest witness: ${this.#reason(solved)}`);
  }

  #without(answers: Answers): Uint8Array {
    const key = [...answers.keys()].sort((a, b) => a - b).join();
    const known = this.#zipped.get(key);
    if (known) return known;
    const zipped = withoutHints(this.program, answers.keys());
    // Forced combinations do not come back; what does is the whole program and single hints.
    if (this.#zipped.size < 64) this.#zipped.set(key, zipped);
    return zipped;
  }

  #reason({ payload, message }: Extract<Solution, { solved: false }>): string {
    if (!payload) return message;
    const text: unknown = noirAbi.abiDecodeError(this.abi, payload);
    return typeof text === "string" ? text : message;
  }
}
