import { type Hex, isHex, numberToHex } from "viem";
import { PublicInputError } from "./errors";

/** Order of the BN254 scalar field, the field Noir circuits compute in (EIP-197). */
export const FIELD_MODULUS = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** Limb width of RSA-sized numbers (spec/prover-api.md, "RSA limbs"). */
export const LIMB_BITS = 120n;
export const LIMB_COUNT = 18;
/** 2048 = 17 x 120 + 8, so the last limb of a 2048-bit number has 8 bits. */
export const TOP_LIMB_BITS = 8n;

/** One row of a circuit's public-input layout; `from` and `count` are in 32-byte words. */
export type LayoutRow = {
  readonly name: string;
  readonly from: number;
  readonly count: number;
  /**
   * How to read the words: `limb120` = 120-bit limbs, least significant first · `byte` = one byte a word ·
   * `ascii` = text, one byte a word, zero tail, its length in the row named `<name>_len` ·
   * `length` = number of used entries · `flag` = 0 or 1 · `uint` = whole number.
   */
  readonly encoding: "limb120" | "byte" | "ascii" | "length" | "flag" | "uint";
};

/**
 * Splits public inputs into words and checks that each is canonical for the field.
 * @param input list of 32-byte hex words, or one hex blob of them.
 * @param expected number of words the circuit has.
 * @throws PublicInputError wrong number, not 32 bytes of hex, or not below the field modulus.
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

/** Words as lower-case 32-byte hex. */
export function formatWords(words: readonly bigint[]): Hex[] {
  return words.map((word) => numberToHex(word, { size: 32 }));
}

/**
 * Splits a number into 18 limbs of 120 bits, least significant first:
 * limb i = (value >> 120 i) mod 2^120 (spec/prover-api.md, "RSA limbs").
 * @throws RangeError when the value is negative or needs more than 2160 bits.
 */
export function toLimbs(value: bigint): bigint[] {
  if (value < 0n || value >> (LIMB_BITS * BigInt(LIMB_COUNT)) !== 0n)
    throw new RangeError("value needs 0 to 2160 bits");
  const mask = (1n << LIMB_BITS) - 1n;
  return Array.from({ length: LIMB_COUNT }, (_, i) => (value >> (LIMB_BITS * BigInt(i))) & mask);
}

/** Inverse of `toLimbs`. */
export function fromLimbs(limbs: readonly bigint[]): bigint {
  return limbs.reduceRight((value, limb) => (value << LIMB_BITS) | limb, 0n);
}

/** Text as `capacity` words, one byte each with a zero tail, followed by its length. */
export function boundedText(text: string, capacity: number): bigint[] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > capacity) throw new RangeError(`text needs ${bytes.length} bytes, ${capacity} fit`);
  return [...Array.from({ length: capacity }, (_, i) => BigInt(bytes[i] ?? 0)), BigInt(bytes.length)];
}

/** Bytes of a hex string as one word each. */
export function byteWords(hex: Hex): bigint[] {
  return Array.from({ length: (hex.length - 2) / 2 }, (_, i) =>
    BigInt(`0x${hex.slice(2 + i * 2, 4 + i * 2)}`),
  );
}
