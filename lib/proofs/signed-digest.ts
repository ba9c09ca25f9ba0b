import { type Hex, hashMessage, zeroHash } from "viem";
import type { CircuitId } from "./deployment";
import { actionDigest } from "./derivations";
import { PublicInputError } from "./errors";
import { circuits } from "./registry";
import type { AttestedCircuit } from "./trust/attesters";
import { byteWords, formatWords } from "./words";

/**
 * What a wallet signed follows from the public inputs alone, so the circuits do not hash it: they take the digest as
 * 32 more public words, one byte each, behind those of the layout. No caller passes these words. Whoever verifies
 * computes them: on chain the contract VerifierFront, everywhere else this file.
 */
export const DIGEST_WORDS = 32;

/**
 * The digest the wallet of an attested circuit signed: EIP-191 personal_sign over the signal hash, or the EIP-712 digest
 * where there is an action.
 * @param words public inputs of the layout, 32 bytes each
 * @throws PublicInputError when a word it follows from is missing or not a byte
 */
export function signedDigest(circuit: AttestedCircuit, words: readonly string[]): Hex {
  const actionHash = circuits[circuit].signedDigest === "message_or_action" ? bytesAt(words, 64) : zeroHash;
  return actionHash === zeroHash
    ? hashMessage({ raw: bytesAt(words, 0) })
    : actionDigest(bytesAt(words, 32), actionHash);
}

/**
 * The public inputs of the circuit itself: those of the layout and, where a wallet signs, the digest.
 * @throws PublicInputError as `signedDigest`
 */
export function circuitWords(circuit: CircuitId, words: readonly Hex[]): Hex[] {
  if (circuit === "oidc_domain_attestation") return [...words];
  return [...words, ...formatWords(byteWords(signedDigest(circuit, words)))];
}

/**
 * The inverse: the public inputs of the layout, from those that a proof was made with.
 * @throws PublicInputError when the digest is not that of the other words: such a proof says nothing
 */
export function layoutWords(circuit: CircuitId, words: readonly Hex[]): Hex[] {
  const { publicWords } = circuits[circuit];
  const own = words.slice(0, publicWords);
  const expected = circuitWords(circuit, own);
  if (expected.length !== words.length || expected.some((word, i) => word !== words[i]?.toLowerCase())) {
    throw new PublicInputError("signed_digest", "is not that of the other public inputs", publicWords);
  }
  return own;
}

/** The 32 bytes that stand one a word from `from` on. */
function bytesAt(words: readonly string[], from: number): Hex {
  const digits = Array.from({ length: DIGEST_WORDS }, (_, i) => {
    const byte = /^0x0{62}([0-9a-f]{2})$/i.exec(words[from + i] ?? "")?.[1];
    if (byte === undefined) throw new PublicInputError("publicInputs", "must be below 256", from + i);
    return byte.toLowerCase();
  });
  return `0x${digits.join("")}`;
}
