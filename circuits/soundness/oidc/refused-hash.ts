import { ORDER } from "../acir/field";
import type { Case } from "../case";
import type { Lie } from "../circuit";
import { longestToken } from "./honest";
import { honest, honestInputs, key, refused } from "./make";
import { compress } from "./sha256";
import { encodedMessage, payloadA, power, signDigest, signToken, type Token } from "./token";
import { limbs, toInputs, type Witness, witnessOf } from "./witness";

/** Bytes of the blocks that the circuit hashes. */
const CAPACITY = 704;

/**
 * What the circuit would hash for a witness whose message is said to end at `end`: its data as they stand, 0x80 there, and
 * the total length in the block that its own length names.
 */
export function digestOf({ data, partialHash, fullLength }: Witness, end = data.len): Uint8Array {
  const blocks = Uint8Array.from({ length: CAPACITY }, (_, i) => data.storage[i] ?? 0);
  blocks[end] = (blocks[end] ?? 0) + 0x80;
  const last = Math.floor((data.len + 8) / 64);
  const view = new DataView(blocks.buffer);
  view.setUint32(64 * last + 60, view.getUint32(64 * last + 60) + 8 * fullLength);
  let state = partialHash;
  for (let i = 0; i <= last; i++) state = compress(state, blocks.subarray(64 * i, 64 * i + 64));
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    digest.setUint32(4 * i, word);
  });
  return new Uint8Array(digest.buffer);
}

/** Has the issuer sign what the circuit would hash, so that only the shape of the hashed blocks is in the way. */
function signed(witness: Witness, end?: number): void {
  witness.signature = limbs(signDigest(key, digestOf(witness, end)));
}

/** A token whose data leave room for two bytes in their last word. */
function roomy(): Token {
  for (let length = 0; length < 80; length++) {
    const token = signToken(key, payloadA({ nonce: "challenge", filler: "f".repeat(length) }));
    const { data } = witnessOf(token);
    // And room for another word in the last block.
    if (data.len % 4 < 2 && data.len % 64 < 40) return token;
  }
  throw new Error("no filler leaves room");
}

/** `A` decodes to zero bits, so that the JSON does not change. */
const ZERO = 0x41;

const later: Lie = { hint: "one_hot", change: (said) => [0n, ...said.slice(0, -1)] };

/** Rule 5, with an issuer that signs whatever would be hashed. */
export function hashCases(): Case[] {
  const token = roomy();
  const base = refused("", () => undefined, /./, token).inputs;
  const forged = (
    name: string,
    change: (witness: Witness) => void,
    reason: RegExp,
    lies: Lie[] = [],
  ): Case => ({
    ...refused(name, change, reason, token),
    base,
    lies,
  });
  return [
    forged(
      "as it is, signed by the same code, but for a bit",
      (witness) => {
        signed(witness);
        witness.signature[0] = (witness.signature[0] ?? 0n) ^ 1n;
      },
      /rsa|assert_max/,
    ),
    forged(
      "a character after the text, hashed with it, in its last word",
      (witness) => {
        witness.data.storage[witness.data.len + 1] = ZERO;
        signed(witness);
      },
      /assert_max_bit_size|Cannot/,
    ),
    forged(
      "a character after the text, hashed with it, in a later word",
      (witness) => {
        witness.data.storage[witness.data.len + 9] = ZERO;
        signed(witness);
      },
      /sha256: bytes after the end/,
    ),
    forged(
      "a text that is hashed with four zeros after it",
      (witness) => signed(witness, witness.data.len + 4),
      /sha256: end at the length/,
      [later],
    ),
    forged(
      "a total length that does not go with the text's",
      (witness) => {
        witness.fullLength += 1;
        signed(witness);
      },
      /assert_max_bit_size|Cannot/,
    ),
    forged(
      "a total length below the text's",
      (witness) => {
        witness.fullLength = witness.data.len - 64;
        signed(witness);
      },
      /assert_max_bit_size|Cannot/,
    ),
    twoEndsCase(),
    refused(
      "a text of 640 bytes and a zero byte",
      (witness) => {
        witness.data.len += 1;
        witness.fullLength += 1;
        signed(witness);
      },
      /sha256: too many bytes/,
      longestToken(),
    ),
  ];
}

/**
 * Two ends that add up to the one there must be: the text ends at the first, and the length that is hashed with it is their sum.
 * The issuer signs what the circuit would hash.
 */
function twoEndsCase(): Case {
  const claims = (filler: string) =>
    `{"email":"a@b.c","email_verified":true,"iat":1760000000,"nonce":"n","z":"${filler}","aud":"c"}`;
  const found = ["", "x", "xx", "xxx", "xxxx", "xxxxx"]
    .map((filler) => signToken(key, claims(filler)))
    .find((token) => witnessOf(token).data.len % 4 === 0);
  if (!found) throw new Error("no filler gives whole words");
  const { len } = witnessOf(found).data;
  const [first, second] = [len / 4, len / 4 + 3];
  return {
    ...refused(
      "a text with two ends",
      (witness) => {
        const { data } = witness;
        witness.fullLength += 4 * second;
        data.len += 4 * second;
        const storage = [...data.storage];
        data.storage[4 * second] = 0x80;
        signed(witness, len);
        data.storage.splice(0, storage.length, ...storage);
      },
      /sha256: one end/,
      found,
    ),
    base: toInputs(witnessOf(found)),
    lies: [
      {
        hint: "one_hot",
        change: (said) => said.map((_, i) => (i === first || i === second ? 1n : 0n)),
      },
    ],
  };
}

/** Another initial state, in one word each. The issuer signs what the circuit would hash from it. */
export function initialStateCases(): Case[] {
  const token = roomy();
  const base = refused("", () => undefined, /./, token, { earlier: 9 }).inputs;
  return Array.from({ length: 8 }, (_, i) => ({
    ...refused(
      `a text hashed from another initial state, word ${i}`,
      (witness) => {
        witness.partialHash[i] = ((witness.partialHash[i] ?? 0) ^ 1) >>> 0;
        signed(witness);
      },
      /sha256: not the initial state/,
      token,
      { earlier: 9 },
    ),
    base,
  }));
}

/**
 * Rule 4: a signature of the message less 2^4080, which an issuer would not sign. Quotient and message then add up to the
 * product in all columns but the last.
 */
export function lastColumnCase(): Case {
  const { modulus, exponent } = key;
  const shift = 1n << 4080n;
  const message = encodedMessage(digestOf(witnessOf(honest)));
  const signature = power((((message - shift) % modulus) + modulus) % modulus, exponent, modulus);
  const quotient = (power(signature, 65536n, modulus) * signature - message + shift) / modulus;
  return {
    ...refused(
      "a signature of another number, equal in all columns but the last",
      (witness) => {
        witness.signature = limbs(signature);
      },
      /rsa: product does not match/,
    ),
    lies: [{ hint: "quotient_only", change: () => limbs(quotient) }],
  };
}

function inverse(value: bigint): bigint {
  return power(((value % ORDER) + ORDER) % ORDER, ORDER - 2n, ORDER);
}

/**
 * Rule 4: a quotient q with power * s = q n + message in the field, though not over the integers, for a signature that
 * is none. It exists for every message; only the carries' range is in its way.
 */
export function fieldQuotientCase(): Case {
  const { modulus } = key;
  const signature = 12345678901234567890n;
  const digest = digestOf(witnessOf(honest));
  const product = power(signature, 65536n, modulus) * signature;
  const quotient = (((product - encodedMessage(digest)) % ORDER) * inverse(modulus)) % ORDER;
  const said = limbs((quotient + ORDER) % ORDER);
  return {
    ...refused(
      "a signature that is none, right in the field",
      (witness) => {
        witness.signature = limbs(signature);
      },
      /assert_max_bit_size|Cannot/,
    ),
    base: honestInputs,
    lies: [{ hint: "quotient_only", change: () => said }],
  };
}
