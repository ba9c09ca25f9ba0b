/** A small deterministic generator (mulberry32), so that whatever is found can be found again. */
export class Random {
  #state: number;

  /** @param seed any text; the same text gives the same numbers. */
  constructor(seed: string) {
    let hash = 0x811c9dc5; // FNV-1a
    for (const byte of new TextEncoder().encode(seed)) hash = Math.imul(hash ^ byte, 0x01000193);
    this.#state = hash | 0;
  }

  /** From 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let x = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0, below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Whether something of this probability happens. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of a list. @throws RangeError when it is empty. */
  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new RangeError("nothing to pick from");
    return found;
  }

  /** A number of at most `bits` bits. */
  bits(bits: number): bigint {
    let value = 0n;
    for (let i = 0; i < bits; i += 32) value = (value << 32n) | BigInt(Math.floor(this.next() * 2 ** 32));
    return BigInt.asUintN(bits, value);
  }

  /** Bytes, each from 0 to 255. */
  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /** A text of `length` characters of an alphabet. */
  text(length: number, alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join("");
  }
}
