import { ORDER } from "../acir/field";
import type { Case } from "../case";
import { Random } from "../random";
import { honest, key, refused } from "./make";
import { digestOf } from "./refused-hash";
import { encodedMessage, power } from "./token";
import { limbs, witnessOf } from "./witness";

const LIMBS = 18;
const BASE = 1n << 120n;

/** a modulo the field's order, from 0. */
const field = (a: bigint) => ((a % ORDER) + ORDER) % ORDER;
const inverse = (a: bigint) => power(field(a), ORDER - 2n, ORDER);
const BY_BASE = inverse(BASE);

/** The encoded message as the circuit lays it out: the digest's words are not cut at limb borders. */
function messageLimbs(digest: Uint8Array): bigint[] {
  const out = limbs(encodedMessage(new Uint8Array(32)));
  const half = (from: number) => BigInt(`0x${Buffer.from(digest.subarray(from, from + 16)).toString("hex")}`);
  out[0] = (out[0] ?? 0n) + half(16);
  out[1] = (out[1] ?? 0n) + half(0) * 256n;
  return out;
}

/** Solves power * signature = q * modulus + message in the field, with carries in a range that is too wide. */
class Forger {
  readonly #a: bigint[];
  readonly #b: bigint[];
  readonly #n: bigint[];
  readonly #r: bigint[];
  /** What q must be in the field. */
  readonly #target: bigint;
  /** Limbs of q that are chosen so far. */
  readonly #q: bigint[] = Array.from({ length: LIMBS }, () => 0n);
  readonly #random = new Random("forged carries");
  readonly #half: bigint;

  /** @param bits of the range that the carries must be in, its middle being zero. */
  constructor(signature: bigint, digest: Uint8Array, bits: number) {
    const raised = power(signature, 65536n, key.modulus);
    this.#a = limbs(raised);
    this.#b = limbs(signature);
    this.#n = limbs(key.modulus);
    this.#r = messageLimbs(digest);
    this.#target = field((raised * signature - encodedMessage(digest)) * inverse(key.modulus));
    this.#half = 1n << BigInt(bits - 1);
  }

  /** The carry out of a column, or undefined when it is out of the range. */
  #carry(k: number, before: bigint): bigint | undefined {
    let column = before - (this.#r[k] ?? 0n);
    for (let i = Math.max(0, k + 1 - LIMBS); i <= Math.min(k, LIMBS - 1); i++) {
      const [a = 0n, b = 0n, q = 0n, n = 0n] = [this.#a[i], this.#b[k - i], this.#q[i], this.#n[k - i]];
      column += a * b - q * n;
    }
    const carry = field(field(column) * BY_BASE);
    return field(carry + this.#half) < 2n * this.#half ? carry : undefined;
  }

  /** Chooses limb k so that the column's carry is in range. */
  #choose(k: number, before: bigint): bigint {
    for (;;) {
      this.#q[k] = this.#random.bits(120);
      const carry = this.#carry(k, before);
      if (carry !== undefined) return carry;
    }
  }

  /** The quotient's limbs. Limbs 14 to 16 follow from the equation; the carries from there on are luck. */
  forge(): bigint[] {
    let first = 0n;
    for (let k = 0; k < 13; k++) first = this.#choose(k, first);
    for (;;) {
      let carry: bigint | undefined = this.#choose(13, first);
      this.#q.fill(0n, 14);
      this.#q[17] = this.#random.bits(9);
      const chosen = this.#q.reduce((sum, limb, i) => sum + limb * BASE ** BigInt(i), 0n);
      const rest = field((this.#target - chosen) * inverse(BASE ** 14n));
      [0, 1, 2].forEach((i) => {
        this.#q[14 + i] = (rest >> BigInt(120 * i)) % BASE;
      });
      for (let k = 14; k < 2 * LIMBS - 2 && carry !== undefined; k++) carry = this.#carry(k, carry);
      if (carry !== undefined) return this.#q;
    }
  }
}

/**
 * Rule 4: a signature that is none, for a token of the prover's choice, with a quotient that is right in the field and limbs and
 * carries that pass every check but that of the carries' 126 bits: they fit 253.
 */
export function forgedCarryCase(): Case {
  const signature = 12345678901234567890n;
  const quotient = new Forger(signature, digestOf(witnessOf(honest)), 253).forge();
  return {
    ...refused(
      "a signature that is none, right in the field, with carries of 253 bits",
      (witness) => {
        witness.signature = limbs(signature);
      },
      /assert_max_bit_size|Cannot/,
    ),
    lies: [{ hint: "quotient_only", change: () => quotient }],
  };
}
