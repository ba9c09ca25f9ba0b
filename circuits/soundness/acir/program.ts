import { gunzipSync } from "node:zlib";
import { fromBytes } from "./field";
import { count, items, name, type Packed, unpack, variant } from "./msgpack";

/** constant + sum of factor * witness + sum of factor * left * right. */
export interface Expression {
  products: { factor: bigint; left: number; right: number }[];
  terms: { factor: bigint; witness: number }[];
  constant: bigint;
}

/** An input of a black box: a witness or a constant. */
export type Input = { witness: number } | { constant: bigint };

/** One step of a circuit. All but `hint` are constraints. */
export type Opcode =
  | { kind: "zero"; expression: Expression }
  | { kind: "range"; input: Input; bits: number }
  | { kind: "blackbox"; box: string; inputs: Input[][]; outputs: number[] }
  | { kind: "init"; block: number; values: number[] }
  | { kind: "memory"; block: number; write: boolean; index: number; value: number }
  | { kind: "hint"; hint: string; outputs: number[]; inputs: Expression[][] };

/** A compiled circuit (ACIR), read from the artifact's bytecode. */
export interface Program {
  opcodes: Opcode[];
  /** Unzipped bytes of the program, and where each opcode stands in them. */
  bytes: Uint8Array;
  places: { start: number; end: number }[];
  /** Witnesses of the circuit's parameters, in the order of the ABI. */
  publicInputs: number[];
  privateInputs: number[];
}

/** The serialization noir 1.0.0-beta.26 writes: MessagePack, structs as lists. */
const FORMAT = 3;

/** Reads an artifact's bytecode. @throws RangeError when it is not of the format this was written for. */
export function readProgram(bytecode: string): Program {
  const bytes = new Uint8Array(gunzipSync(Buffer.from(bytecode, "base64")));
  if (bytes[0] !== FORMAT) throw new RangeError(`acir: format ${bytes[0]} is not known here`);
  const [functions, unconstrained] = items(unpack(bytes, 1));
  const [main, ...others] = items(functions);
  if (!main || others.length > 0)
    throw new RangeError("acir: circuits of more than one function are not known here");
  const hints = items(unconstrained).map((hint) => name(items(hint)[0]));
  const [, opcodes, privateInputs, publicInputs] = items(main);
  const list = items(opcodes);
  return {
    opcodes: list.map((opcode) => readOpcode(opcode, hints)),
    bytes,
    places: list.map(({ start, end }) => ({ start, end })),
    publicInputs: items(publicInputs).map(count),
    privateInputs: items(privateInputs).map(count),
  };
}

function readOpcode(packed: Packed, hints: string[]): Opcode {
  const [kind, body] = variant(packed);
  switch (kind) {
    case "AssertZero":
      return { kind: "zero", expression: readExpression(body) };
    case "BlackBoxFuncCall":
      return readBlackBox(body);
    case "MemoryInit": {
      const [block, values] = items(body);
      return { kind: "init", block: count(block), values: items(values).map(count) };
    }
    case "MemoryOp": {
      const [block, op] = items(body);
      const [write, index, value] = items(op);
      if (write?.kind !== "boolean") throw new RangeError("acir: a memory operation is a read or a write");
      return {
        kind: "memory",
        block: count(block),
        write: write.value,
        index: count(index),
        value: count(value),
      };
    }
    case "BrilligCall": {
      const [id, inputs, outputs] = items(body);
      return {
        kind: "hint",
        hint: hints[count(id)] ?? "",
        inputs: items(inputs).map(readHintInput),
        outputs: items(outputs).flatMap((output) => witnessesOf(variant(output)[1])),
      };
    }
    default:
      throw new RangeError(`acir: opcode ${kind} is not known here`);
  }
}

function readExpression(packed: Packed | undefined): Expression {
  const [products, terms, constant] = items(packed);
  return {
    products: items(products).map((product) => {
      const [factor, left, right] = items(product);
      return { factor: readField(factor), left: count(left), right: count(right) };
    }),
    terms: items(terms).map((term) => {
      const [factor, witness] = items(term);
      return { factor: readField(factor), witness: count(witness) };
    }),
    constant: readField(constant),
  };
}

function readField(packed: Packed | undefined): bigint {
  if (packed?.kind !== "bytes") throw new RangeError("acir: a field element was expected");
  return fromBytes(packed.value);
}

function readHintInput(packed: Packed): Expression[] {
  const [kind, body] = variant(packed);
  if (kind === "Single") return [readExpression(body)];
  return kind === "Array" ? items(body).map(readExpression) : [];
}

/** The witnesses of a black box's outputs: one, or a list. */
function witnessesOf(packed: Packed | undefined): number[] {
  return packed?.kind === "list" ? packed.items.map(count) : [count(packed)];
}

function readInput(packed: Packed): Input {
  const [kind, body] = variant(packed);
  return kind === "Witness" ? { witness: count(body) } : { constant: readField(body) };
}

const isInput = (packed: Packed): boolean =>
  packed.kind === "map" && /^(Witness|Constant)$/.test(variant(packed)[0]);

function readBlackBox(packed: Packed | undefined): Opcode {
  const [box, body] = variant(packed);
  if (box === "RANGE") {
    const [input, bits] = items(body);
    if (!input) throw new RangeError("acir: RANGE has an input");
    return { kind: "range", input: readInput(input), bits: count(bits) };
  }
  // Inputs come first, as lists of inputs or single ones; the last field is what comes out.
  const entries = items(body);
  const inputs = entries
    .slice(0, -1)
    .map((entry) => (isInput(entry) ? [readInput(entry)] : items(entry).map(readInput)));
  return { kind: "blackbox", box, inputs, outputs: witnessesOf(entries.at(-1)) };
}
