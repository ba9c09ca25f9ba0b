import { bytesToBigInt } from "viem";
import { FIELD_MODULUS } from "../words";

/** Bytes of a member's master secret: 256 bits, as many as 24 words of BIP-39 stand for. */
export const MASTER_BYTES = 32;
/** Twice the field's size: what is left of it modulo the field is even, to one part in 2^256. */
const DERIVED_BITS = 512;

const bytes = (text: string) => new TextEncoder().encode(text);
const SALT = bytes("parley anonymous membership 1");

/**
 * Returns a member's secret in one topic: HKDF-SHA-256 of the master secret, reduced into the field. Secrets of two topics
 * have nothing in common.
 * @param master `MASTER_BYTES`
 * @param topicId its id, in lower case
 */
export async function topicSecret(master: Uint8Array, topicId: string): Promise<bigint> {
  if (master.length !== MASTER_BYTES) throw new RangeError(`a master secret has ${MASTER_BYTES} bytes`);
  const key = await crypto.subtle.importKey("raw", new Uint8Array(master), "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: SALT, info: bytes(topicId) };
  const derived = new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, DERIVED_BITS));
  // Never zero, which the circuit refuses.
  return (bytesToBigInt(derived) % (FIELD_MODULUS - 1n)) + 1n;
}

/** Returns a random field element, such as a proof's blinding. */
export function randomElement(): bigint {
  return bytesToBigInt(crypto.getRandomValues(new Uint8Array(64))) % FIELD_MODULUS;
}
