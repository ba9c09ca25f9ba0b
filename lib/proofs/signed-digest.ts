import { type Hex, hashMessage, zeroHash } from "viem";
import type { CircuitId } from "./deployment";
import { actionDigest } from "./derivations";
import { PublicInputError } from "./errors";
import { circuits } from "./registry";
import type { AttestedCircuit } from "./trust/attesters";
import { byteWords, formatWords } from "./words";

/**
 * The digest a wallet signed follows from the public inputs, so the circuits do not compute it: they take it as 32 more
 * public words, one byte each, after those of the layout. Callers never pass these words. The verifier computes them:
 * contract VerifierFront on chain, this file everywhere else.
 */
export const DIGEST_WORDS = 32;

/**
 * Returns the digest that the wallet signed: EIP-191 personal_sign over the signal hash, or the EIP-712 digest of the
 * action if there is one.
 * @param words public inputs of the layout, 32 bytes each
 * @throws PublicInputError if a word it depends on is missing or not a byte
 */
export function signedDigest(circuit: AttestedCircuit, words: readonly string[]): Hex {
  const actionHash = circuits[circuit].signedDigest === "message_or_action" ? bytesAt(words, 64) : zeroHash;
  return actionHash === zeroHash
    ? hashMessage({ raw: bytesAt(words, 0) })
    : actionDigest(bytesAt(words, 32), actionHash);
}

/**
 * Returns the public inputs of the circuit itself: those of the layout, plus the digest for attested circuits.
 * @throws PublicInputError as `signedDigest`
 */
export function circuitWords(circuit: CircuitId, words: readonly Hex[]): Hex[] {
  if (circuit === "oidc_domain_attestation") return [...words];
  return [...words, ...formatWords(byteWords(signedDigest(circuit, words)))];
}

/**
 * Returns the public inputs of the layout, given those of the circuit: the inverse of `circuitWords`.
 * @throws PublicInputError if the digest does not match the other words: such a proof proves nothing
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

/** Reads 32 bytes, one per word, starting at `from`. */
function bytesAt(words: readonly string[], from: number): Hex {
  const digits = Array.from({ length: DIGEST_WORDS }, (_, i) => {
    const byte = /^0x0{62}([0-9a-f]{2})$/i.exec(words[from + i] ?? "")?.[1];
    if (byte === undefined) throw new PublicInputError("publicInputs", "must be below 256", from + i);
    return byte.toLowerCase();
  });
  return `0x${digits.join("")}`;
}
