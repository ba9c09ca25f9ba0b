import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccakP } from "@noble/hashes/sha3.js";
import { permute } from "@zkpassport/poseidon2";
import { compress } from "../oidc/sha256";
import { ORDER, reduce } from "./field";
import type { Expression, Input, Opcode, Program } from "./program";

/** Values of all witnesses, by number. */
export type Assignment = readonly bigint[];

/**
 * Checks an assignment against the constraints of a circuit: no hint is run and nothing is solved, so that this
 * says what a verifier may conclude and not what the compiler's virtual machine does.
 */
export class ConstraintChecker {
  /** Constraints that a witness occurs in. */
  readonly touching: ReadonlyMap<number, readonly number[]>;
  readonly #program: Program;
  /** Witnesses that a memory block begins with. */
  readonly #blocks = new Map<number, number[]>();
  #copied: { of: Assignment; copy: bigint[] } | undefined;

  /** @throws RangeError for circuits that write to memory: none of ours does. */
  constructor(program: Program) {
    this.#program = program;
    const touching = new Map<number, number[]>();
    const readers = new Map<number, number[]>();
    const touch = (witness: number, opcode: number) => {
      const list = touching.get(witness) ?? [];
      if (list.at(-1) !== opcode) list.push(opcode);
      touching.set(witness, list);
    };
    program.opcodes.forEach((opcode, i) => {
      for (const witness of witnessesIn(opcode)) touch(witness, i);
      if (opcode.kind === "init") this.#blocks.set(opcode.block, opcode.values);
      if (opcode.kind !== "memory") return;
      if (opcode.write) throw new RangeError("acir: writes to memory are not known here");
      readers.set(opcode.block, [...(readers.get(opcode.block) ?? []), i]);
    });
    for (const [block, values] of this.#blocks) {
      for (const witness of values) for (const reader of readers.get(block) ?? []) touch(witness, reader);
    }
    this.touching = touching;
  }

  /** The first constraint that does not hold, or undefined. `among`: look at these only. */
  violated(values: Assignment, among?: Iterable<number>): number | undefined {
    for (const i of among ?? this.#program.opcodes.keys()) {
      const opcode = this.#program.opcodes[i];
      if (opcode && !this.#holds(opcode, values)) return i;
    }
    return undefined;
  }

  /** Whether the assignment with some witnesses changed satisfies all constraints. It satisfies them unchanged. */
  survives(values: Assignment, changes: ReadonlyMap<number, bigint>): boolean {
    const changed = this.#copyOf(values);
    const cheap = new Set<number>();
    const dear = new Set<number>();
    for (const [witness, value] of changes) {
      changed[witness] = value;
      for (const opcode of this.touching.get(witness) ?? []) {
        (this.#program.opcodes[opcode]?.kind === "blackbox" ? dear : cheap).add(opcode);
      }
    }
    const survives =
      this.violated(changed, cheap) === undefined && this.violated(changed, dear) === undefined;
    for (const witness of changes.keys()) changed[witness] = values[witness] ?? 0n;
    return survives;
  }

  /** A copy to change and to change back: a hundred thousand values are not copied for every question. */
  #copyOf(values: Assignment): bigint[] {
    if (this.#copied?.of !== values) this.#copied = { of: values, copy: [...values] };
    return this.#copied.copy;
  }

  #holds(opcode: Opcode, values: Assignment): boolean {
    switch (opcode.kind) {
      case "zero":
        return evaluate(opcode.expression, values) === 0n;
      case "range":
        return inputValue(opcode.input, values) >> BigInt(opcode.bits) === 0n;
      case "blackbox": {
        const inputs = opcode.inputs.map((list) => list.map((input) => inputValue(input, values)));
        const expected = blackBox(opcode.box, inputs);
        return opcode.outputs.every((witness, i) => values[witness] === expected[i]);
      }
      case "memory": {
        const block = this.#blocks.get(opcode.block) ?? [];
        const index = values[opcode.index] ?? 0n;
        const cell = index < BigInt(block.length) ? block[Number(index)] : undefined;
        return cell !== undefined && values[cell] === values[opcode.value];
      }
      default:
        return true;
    }
  }
}

/** Value of an expression, reduced. */
export function evaluate({ products, terms, constant }: Expression, values: Assignment): bigint {
  let sum = constant;
  for (const { factor, left, right } of products)
    sum += factor * (((values[left] ?? 0n) * (values[right] ?? 0n)) % ORDER);
  for (const { factor, witness } of terms) sum += factor * (values[witness] ?? 0n);
  return reduce(sum);
}

function inputValue(input: Input, values: Assignment): bigint {
  return "witness" in input ? (values[input.witness] ?? 0n) : input.constant;
}

/** The witnesses that a constraint is about. A hint is none. */
function witnessesIn(opcode: Opcode): number[] {
  const of = (inputs: Input[]) => inputs.flatMap((input) => ("witness" in input ? [input.witness] : []));
  switch (opcode.kind) {
    case "zero":
      return [
        ...opcode.expression.products.flatMap(({ left, right }) => [left, right]),
        ...opcode.expression.terms.map(({ witness }) => witness),
      ];
    case "range":
      return of([opcode.input]);
    case "blackbox":
      return [...of(opcode.inputs.flat()), ...opcode.outputs];
    case "memory":
      return [opcode.index, opcode.value];
    default:
      return [];
  }
}

/**
 * What the black boxes must give, by other code than the compiler's: noble's permutation and curve, the
 * SHA-256 compression of these tests, and zkpassport's Poseidon2.
 */
function blackBox(box: string, inputs: bigint[][]): bigint[] {
  switch (box) {
    case "Keccakf1600":
      return keccakf(inputs[0] ?? []);
    case "Sha256Compression":
      return sha256Compression(inputs[0] ?? [], inputs[1] ?? []);
    case "Poseidon2Permutation":
      return permute((inputs[0] ?? []).map(reduce));
    case "EcdsaSecp256k1":
      return [ecdsa(inputs) ? 1n : 0n];
    default:
      throw new RangeError(`acir: black box ${box} is not known here`);
  }
}

function keccakf(lanes: bigint[]): bigint[] {
  const words = new Uint32Array(50);
  lanes.forEach((lane, i) => {
    words[2 * i] = Number(BigInt.asUintN(32, lane));
    words[2 * i + 1] = Number(BigInt.asUintN(32, lane >> 32n));
  });
  keccakP(words);
  return lanes.map((_, i) => BigInt(words[2 * i] ?? 0) | (BigInt(words[2 * i + 1] ?? 0) << 32n));
}

function sha256Compression(block: bigint[], state: bigint[]): bigint[] {
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  block.forEach((word, i) => {
    view.setUint32(4 * i, Number(word));
  });
  return compress(state.map(Number), bytes).map(BigInt);
}

/** x, y, signature (r and s), hash and, last, whether the result counts at all. High s is refused. */
function ecdsa([x = [], y = [], signature = [], hash = [], predicate = [1n]]: bigint[][]): boolean {
  if (predicate[0] === 0n) return true;
  const bytes = (values: bigint[]) => Uint8Array.from(values, Number);
  const key = Uint8Array.from([4, ...bytes(x), ...bytes(y)]);
  try {
    return secp256k1.verify(bytes(signature), bytes(hash), key, { prehash: false, lowS: true });
  } catch {
    return false; // not a point, or r or s out of range
  }
}
