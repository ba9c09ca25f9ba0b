import { gzipSync } from "node:zlib";
import { acvm } from "@noir-lang/noir_js";
import { toWord } from "./field";
import type { Program } from "./program";

/** Values for the outputs of opcodes that were taken out: what a prover says instead of running a hint. */
export type Answers = ReadonlyMap<number, readonly bigint[]>;

/** How an execution ended. */
export type Solution =
  | { solved: true; values: bigint[] }
  | {
      solved: false;
      /** The opcode that did not hold. */
      opcode: number;
      /** Set when a hint's own code gave up: no constraint has said no. */
      hint: string | undefined;
      /** The assertion's text as the compiler encoded it, if it has one. */
      payload: RawPayload | undefined;
      message: string;
    };

/** An encoded assertion message. */
interface RawPayload {
  selector: string;
  data: string[];
}

/** MessagePack of `AssertZero` of the expression 0: takes the place of a hint that is answered. */
const NOTHING = Buffer.concat([
  Buffer.from([0x81, 0xaa]),
  Buffer.from("AssertZero"),
  Buffer.from([0x93, 0x90, 0x90, 0xc4, 0x20]),
  Buffer.alloc(32),
]);

/**
 * The program with some opcodes taken out: every other one is copied byte for byte, so that, when only hints are taken,
 * the constraints are those of the committed artifact. Zipped without compression, since it is unzipped for every run.
 */
export function without(program: Program, taken: Iterable<number>): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const opcode of [...taken].sort((a, b) => a - b)) {
    const place = program.places[opcode];
    if (!place) throw new RangeError(`there is no opcode ${opcode}`);
    parts.push(program.bytes.subarray(from, place.start), NOTHING);
    from = place.end;
  }
  parts.push(program.bytes.subarray(from));
  return gzipSync(Buffer.concat(parts), { level: 0 });
}

/** The program without these hints. */
export function withoutHints(program: Program, hints: Iterable<number>): Uint8Array {
  const taken = [...hints];
  const other = taken.find((opcode) => program.opcodes[opcode]?.kind !== "hint");
  if (other !== undefined) throw new RangeError(`opcode ${other} is no hint`);
  return without(program, taken);
}

/** Witnesses that an opcode gives values to. */
export function outputsOf(program: Program, opcode: number): number[] {
  const found = program.opcodes[opcode];
  if (found?.kind === "hint" || found?.kind === "blackbox") return found.outputs;
  return found?.kind === "memory" ? [found.value] : [];
}

/** Solves a program for its parameters and for given outputs of the opcodes that were taken out of it. */
export async function solve(
  zipped: Uint8Array,
  program: Program,
  parameters: readonly bigint[],
  answers: Answers = new Map(),
): Promise<Solution> {
  const given = new Map<number, string>();
  parameters.forEach((value, witness) => {
    given.set(witness, toWord(value));
  });
  for (const [opcode, values] of answers) {
    const outputs = outputsOf(program, opcode);
    if (outputs.length !== values.length) {
      throw new RangeError(`opcode ${opcode} does not give ${values.length} values`);
    }
    outputs.forEach((witness, i) => {
      given.set(witness, toWord(values[i] ?? 0n));
    });
  }
  try {
    const [main] = await acvm.executeProgram(zipped, given, noOracles);
    const values: bigint[] = [];
    for (const [witness, word] of main?.witness ?? []) values[witness] = BigInt(word);
    return { solved: true, values };
  } catch (error) {
    return failure(error, program);
  }
}

async function noOracles(name: string): Promise<never> {
  throw new Error(`a circuit of ours asks no oracle, but ${name} was called`);
}

function failure(error: unknown, program: Program): Solution {
  if (error instanceof WebAssembly.RuntimeError || !(error instanceof Error)) throw error;
  const location = "callStack" in error && Array.isArray(error.callStack) ? String(error.callStack[0]) : "";
  const opcode = Number(/^\d+/.exec(location)?.[0] ?? Number.NaN);
  const at = program.opcodes[opcode];
  // A refusal that names no opcode could be anything: it must not count as one.
  if (!at) throw error;
  const payload = "rawAssertionPayload" in error ? readPayload(error.rawAssertionPayload) : undefined;
  return {
    solved: false,
    opcode,
    hint: at.kind === "hint" ? at.hint : undefined,
    payload,
    message: error.message,
  };
}

function readPayload(payload: unknown): RawPayload | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  if (!("selector" in payload) || !("data" in payload) || !Array.isArray(payload.data)) return undefined;
  return { selector: String(payload.selector), data: payload.data.map(String) };
}
