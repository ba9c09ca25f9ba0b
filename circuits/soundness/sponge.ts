import { keccakP } from "@noble/hashes/sha3.js";

/** Bytes that Keccak-256 takes at once. */
const RATE = 136;

/**
 * One block as the circuits lay it out, right or wrong: some bytes, 0x01 where the message is said to end (nowhere for
 * undefined) and 0x80 at the end of the block.
 */
export function block(bytes: ArrayLike<number>, end: number | undefined): Uint8Array {
  const out = Uint8Array.from({ length: RATE }, (_, i) => bytes[i] ?? 0);
  if (end !== undefined) out[end] = (out[end] ?? 0) + 0x01;
  out[RATE - 1] = (out[RATE - 1] ?? 0) + 0x80;
  return out;
}

/** What the sponge gives for one block: the digest of a message only when the block is padded as it should be. */
export function squeeze(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, RATE);
  const state = new Uint32Array(50);
  for (let i = 0; i < RATE / 4; i++) state[i] = view.getUint32(4 * i, true);
  keccakP(state);
  return new Uint8Array(state.slice(0, 8).buffer);
}
