import type { Hex } from "viem";
import { PublicInputError } from "../errors";
import { fromLimbs, type LayoutRow, LIMB_BITS, LIMB_COUNT, parseWords, TOP_LIMB_BITS } from "../words";

/** Number of words a layout covers; rows are contiguous. */
export function wordCount(rows: readonly LayoutRow[]): number {
  return rows.reduce((total, row) => total + row.count, 0);
}

/** Rows from (name, count, encoding) triples, each starting where the one before ends. */
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
 * Reads fields of one list of public inputs by the layout's names and refuses every value that has a
 * second encoding, so that equal facts always mean equal words.
 */
export class WordReader {
  readonly #rows: ReadonlyMap<string, LayoutRow>;
  readonly #words: readonly bigint[];

  /** @throws PublicInputError as `parseWords`. */
  constructor(rows: readonly LayoutRow[], input: string | readonly string[]) {
    this.#rows = new Map(rows.map((row) => [row.name, row]));
    this.#words = parseWords(input, wordCount(rows));
  }

  #take(field: string): { from: number; words: readonly bigint[] } {
    const row = this.#rows.get(field);
    if (!row) throw new Error(`layout has no field ${field}`);
    return { from: row.from, words: this.#words.slice(row.from, row.from + row.count) };
  }

  /** 2048-bit number from 18 limbs: each below 2^120, the last below 2^8. */
  limbs(field: string): bigint {
    const { from, words } = this.#take(field);
    words.forEach((limb, i) => {
      const bits = i === LIMB_COUNT - 1 ? TOP_LIMB_BITS : LIMB_BITS;
      if (limb >> bits !== 0n) throw new PublicInputError(field, `must be below 2^${bits}`, from + i);
    });
    return fromLimbs(words);
  }

  /** Fixed number of bytes. */
  bytes(field: string): Hex {
    return `0x${this.#byteList(field)
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("")}`;
  }

  #byteList(field: string): number[] {
    const { from, words } = this.#take(field);
    return words.map((word, i) => {
      if (word > 255n) throw new PublicInputError(field, "must be below 256", from + i);
      return Number(word);
    });
  }

  /** Whole number between min and max, both included. */
  uint(field: string, min: number, max: number): number {
    const { from, words } = this.#take(field);
    const value = words[0] ?? 0n;
    if (value < BigInt(min) || value > BigInt(max)) {
      throw new PublicInputError(field, `must be from ${min} to ${max}`, from);
    }
    return Number(value);
  }

  /**
   * Bytes of a zero-tailed field whose length stands in `<field>_len`, counted in units of `unit` bytes.
   * @throws PublicInputError length outside min..max units, or a non-zero byte after the end.
   */
  bounded(field: string, min: number, max: number, unit = 1): number[] {
    const used = this.uint(`${field}_len`, min, max) * unit;
    const bytes = this.#byteList(field);
    const { from } = this.#take(field);
    const dirty = bytes.findIndex((byte, i) => i >= used && byte !== 0);
    if (dirty >= 0) throw new PublicInputError(field, "must be zero after its length", from + dirty);
    return bytes.slice(0, used);
  }

  /** `bounded` as text; `allowed` is the rule for each character. */
  text(field: string, min: number, max: number, allowed: RegExp, rule: string): string {
    const text = String.fromCharCode(...this.bounded(field, min, max));
    const { from } = this.#take(field);
    const bad = [...text].findIndex((char) => !allowed.test(char));
    if (bad >= 0) throw new PublicInputError(field, rule, from + bad);
    return text;
  }
}
