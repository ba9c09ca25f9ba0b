import { type Address, type Hex, hexToBigInt, numberToHex, recoverPublicKey, size, slice } from "viem";
import { publicKeyToAddress } from "viem/utils";

/** Order of secp256k1 (SEC 2, 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** r and s as 32 bytes each, big-endian. */
export type CanonicalSignature = { r: Hex; s: Hex; yParity: 0 | 1 };

export type Signer = {
  address: Address;
  /** Coordinates of the public key, 32 bytes each. */
  x: Hex;
  y: Hex;
};

/**
 * Returns the signature in the only form the circuits accept: 0 < r < n and 0 < s <= n/2 (EIP-2). Returns null for any
 * other: a high s is not converted, since no wallet produces one.
 */
export function canonicalSignature(r: Hex, s: Hex, yParity: number): CanonicalSignature | null {
  if (yParity !== 0 && yParity !== 1) return null;
  const [rNumber, sNumber] = [hexToBigInt(r), hexToBigInt(s)];
  if (rNumber === 0n || rNumber >= ORDER || sNumber === 0n || sNumber > ORDER / 2n) return null;
  return { r: numberToHex(rNumber, { size: 32 }), s: numberToHex(sNumber, { size: 32 }), yParity };
}

/** Reads 65 bytes r, s, v with v 0, 1, 27 or 28. Returns null if the signature is not canonical. */
export function readSignature(signature: Hex): CanonicalSignature | null {
  if (size(signature) !== 65) return null;
  const v = Number(slice(signature, 64));
  return canonicalSignature(slice(signature, 0, 32), slice(signature, 32, 64), v >= 27 ? v - 27 : v);
}

/** Recovers the signer of a 32-byte digest; null if r is not on the curve. */
export async function recoverSigner(digest: Hex, signature: CanonicalSignature): Promise<Signer | null> {
  // 0x04 ‖ x ‖ y. Drops the error, which may quote the signature.
  const key = await recoverPublicKey({ hash: digest, signature }).catch(() => null);
  if (key === null) return null;
  return { address: publicKeyToAddress(key), x: slice(key, 1, 33), y: slice(key, 33, 65) };
}
