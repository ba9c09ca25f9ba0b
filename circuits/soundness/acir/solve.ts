import { gzipSync } from "node:zlib";
import { acvm } from "@noir-lang/noir_js";
import { toWord } from "./field";
import type { Program } from "./program";

/** Values for the outputs of hints, by opcode: what a prover says instead of running the hint. */
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
export interface RawPayload {
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
 * The program with some hints taken out: every other opcode is copied byte for byte, so the constraints are those
 * of the committed artifact. Zipped without compression, since it is unzipped for every run.
 */
export function withoutHints(program: Program, taken: Iterable<number>): Uint8Array {
  const cuts = [...taken].sort((a, b) => a - b);
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const opcode of cuts) {
    const place = program.places[opcode];
    if (!place || program.opcodes[opcode]?.kind !== "hint")
      throw new RangeError(`opcode ${opcode} is no hint`);
    parts.push(program.bytes.subarray(from, place.start), NOTHING);
    from = place.end;
  }
  parts.push(program.bytes.subarray(from));
  return gzipSync(Buffer.concat(parts), { level: 0 });
}

/** Solves a circuit for its parameters and, instead of the hints named, for the answers given. */
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
    const hint = program.opcodes[opcode];
    if (hint?.kind !== "hint" || hint.outputs.length !== values.length) {
      throw new RangeError(`opcode ${opcode} is no hint of ${values.length} values`);
    }
    hint.outputs.forEach((witness, i) => {
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
