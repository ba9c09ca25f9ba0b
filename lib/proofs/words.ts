import { bytesToHex, type Hex, hexToBytes, isHex, numberToHex } from "viem";
import { PublicInputError } from "./errors";

/** Order of the BN254 scalar field, in which Noir circuits compute (EIP-197). */
export const FIELD_MODULUS = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** Limbs of RSA-sized numbers (spec/prover-api.md, "RSA limbs"). */
const LIMB_BITS = 120n;
const LIMB_COUNT = 18;
/** 2048 = 17 x 120 + 8, so the last limb of a 2048-bit number has 8 bits. */
const TOP_LIMB_BITS = 8n;

/** A row of a circuit's public-input layout; `from` and `count` are in 32-byte words. */
export type LayoutRow = {
  readonly name: string;
  readonly from: number;
  readonly count: number;
  /**
   * How to read the words: `limb120` = 120-bit limbs, least significant first · `byte` = one byte per word ·
   * `ascii` = text, one byte per word, zero tail, its length in the row named `<name>_len` ·
   * `length` = number of used entries · `flag` = 0 or 1 · `uint` = whole number.
   */
  readonly encoding: "limb120" | "byte" | "ascii" | "length" | "flag" | "uint";
};

/** Returns the number of words in a layout; rows are contiguous. */
export function wordCount(rows: readonly LayoutRow[]): number {
  return rows.reduce((total, row) => total + row.count, 0);
}

/** Makes rows from (name, count, encoding) triples, each starting where the previous one ends. */
export function layoutRows(
  ...rows: readonly (readonly [name: string, count: number, encoding: LayoutRow["encoding"]])[]
): readonly LayoutRow[] {
  let from = 0;
  return rows.map(([name, count, encoding]) => {
    const row = { name, from, count, encoding };
    from += count;
    return row;
  });
}

/**
 * Splits public inputs into words and checks that each is canonical for the field.
 * @param input list of 32-byte hex words, or one hex blob of them.
 * @param expected number of words the circuit has.
 * @throws PublicInputError for a wrong number, not 32 bytes of hex, or not below the field modulus.
 */
export function parseWords(input: string | readonly string[], expected: number): bigint[] {
  const words = typeof input === "string" ? splitBlob(input) : input;
  if (words.length !== expected) {
    throw new PublicInputError("publicInputs", `must be ${expected} words of 32 bytes, got ${words.length}`);
  }
  return words.map((word, index) => {
    if (!isHex(word, { strict: true }) || word.length !== 66) {
      throw new PublicInputError("publicInputs", "must be 32 bytes of 0x-prefixed hex", index);
    }
    const value = BigInt(word);
    if (value >= FIELD_MODULUS) {
      throw new PublicInputError("publicInputs", "must be below the field modulus", index);
    }
    return value;
  });
}

function splitBlob(blob: string): string[] {
  const digits = blob.slice(2);
  if (!blob.startsWith("0x") || digits.length % 64 !== 0) {
    throw new PublicInputError("publicInputs", "must be a whole number of 32-byte words in 0x-prefixed hex");
  }
  return Array.from({ length: digits.length / 64 }, (_, i) => `0x${digits.slice(i * 64, i * 64 + 64)}`);
}

/** Formats words as 32-byte hex in lower case. */
export function formatWords(words: readonly bigint[]): Hex[] {
  return words.map((word) => numberToHex(word, { size: 32 }));
}

/**
 * Splits a number into 18 limbs of 120 bits, least significant first:
 * limb i = (value >> 120 i) mod 2^120 (spec/prover-api.md, "RSA limbs").
 * @throws RangeError if the value is negative or needs more than 2160 bits.
 */
export function toLimbs(value: bigint): bigint[] {
  if (value < 0n || value >> (LIMB_BITS * BigInt(LIMB_COUNT)) !== 0n)
    throw new RangeError("value needs 0 to 2160 bits");
  const mask = (1n << LIMB_BITS) - 1n;
  return Array.from({ length: LIMB_COUNT }, (_, i) => (value >> (LIMB_BITS * BigInt(i))) & mask);
}

/** Joins limbs: the inverse of `toLimbs`. */
export function fromLimbs(limbs: readonly bigint[]): bigint {
  return limbs.reduceRight((value, limb) => (value << LIMB_BITS) | limb, 0n);
}

/** Encodes text as `capacity` words, one byte each with a zero tail, followed by its length. */
export function boundedText(text: string, capacity: number): bigint[] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > capacity) throw new RangeError(`text needs ${bytes.length} bytes, ${capacity} fit`);
  return [...bounded(Array.from(bytes, BigInt), capacity, 0n).storage, BigInt(bytes.length)];
}

/** Returns the bytes of a hex string. */
export function bytesOf(hex: Hex): number[] {
  return [...hexToBytes(hex)];
}

/** Returns the bytes of a hex string as one word each. */
export function byteWords(hex: Hex): bigint[] {
  return bytesOf(hex).map(BigInt);
}

/** A Noir BoundedVec, in the form noir_js takes. */
export type Bounded<T> = { storage: T[]; len: number };

/** Makes a BoundedVec of `capacity` entries. */
export function bounded<T>(entries: ArrayLike<T>, capacity: number, empty: T): Bounded<T> {
  return { storage: Array.from({ length: capacity }, (_, i) => entries[i] ?? empty), len: entries.length };
}

/**
 * Reads public inputs by the layout's field names. Rejects every value that has a second encoding, so that equal facts
 * always mean equal words.
 */
export class WordReader {
  readonly #rows: ReadonlyMap<string, LayoutRow>;
  readonly #words: readonly bigint[];

  /** @throws PublicInputError as `parseWords`. */
  constructor(rows: readonly LayoutRow[], input: string | readonly string[]) {
    this.#rows = new Map(rows.map((row) => [row.name, row]));
    this.#words = parseWords(input, wordCount(rows));
  }

  /** Reads a 2048-bit number from 18 limbs: each below 2^120, the last below 2^8. */
  limbs(field: string): bigint {
    const { from, words } = this.#take(field);
    words.forEach((limb, i) => {
      const bits = i === LIMB_COUNT - 1 ? TOP_LIMB_BITS : LIMB_BITS;
      if (limb >> bits !== 0n) throw new PublicInputError(field, `must be below 2^${bits}`, from + i);
    });
    return fromLimbs(words);
  }

  /** Reads all bytes of a field. */
  bytes(field: string): Hex {
    return bytesToHex(Uint8Array.from(this.#byteList(field)));
  }

  /** Reads a whole number from min to max inclusive. */
  uint(field: string, min: number, max: number): number {
    const { from, words } = this.#take(field);
    const value = words[0] ?? 0n;
    if (value < BigInt(min) || value > BigInt(max)) {
      throw new PublicInputError(field, `must be from ${min} to ${max}`, from);
    }
    return Number(value);
  }

  /**
   * Reads the bytes of a zero-tailed field whose length is in `<field>_len`, in units of `unit` bytes.
   * @throws PublicInputError if the length is outside min..max units, or a byte after the end is not zero.
   */
  bounded(field: string, min: number, max: number, unit = 1): number[] {
    const used = this.uint(`${field}_len`, min, max) * unit;
    const bytes = this.#byteList(field);
    const { from } = this.#take(field);
    const dirty = bytes.findIndex((byte, i) => i >= used && byte !== 0);
    if (dirty >= 0) throw new PublicInputError(field, "must be zero after its length", from + dirty);
    return bytes.slice(0, used);
  }

  /** Reads a `bounded` field as text; each character must match `allowed`. */
  text(field: string, min: number, max: number, allowed: RegExp, rule: string): string {
    const text = String.fromCharCode(...this.bounded(field, min, max));
    const { from } = this.#take(field);
    const bad = [...text].findIndex((char) => !allowed.test(char));
    if (bad >= 0) throw new PublicInputError(field, rule, from + bad);
    return text;
  }

  #take(field: string): { from: number; words: readonly bigint[] } {
    const row = this.#rows.get(field);
    if (!row) throw new Error(`layout has no field ${field}`);
    return { from: row.from, words: this.#words.slice(row.from, row.from + row.count) };
  }

  #byteList(field: string): number[] {
    const { from, words } = this.#take(field);
    return words.map((word, i) => {
      if (word > 255n) throw new PublicInputError(field, "must be below 256", from + i);
      return Number(word);
    });
  }
}
