import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccakP } from "@noble/hashes/sha3.js";
import { compress } from "../oidc/sha256";

/**
 * What the black boxes must give, by other code than the compiler's: noble's permutation and curve, and the
 * SHA-256 compression of these tests.
 */
export function blackBox(box: string, inputs: bigint[][]): bigint[] {
  switch (box) {
    case "Keccakf1600":
      return keccakf(inputs[0] ?? []);
    case "Sha256Compression":
      return sha256Compression(inputs[0] ?? [], inputs[1] ?? []);
    case "EcdsaSecp256k1":
      return [ecdsa(inputs) ? 1n : 0n];
    default:
      throw new RangeError(`acir: black box ${box} is not known here`);
  }
}

function keccakf(lanes: bigint[]): bigint[] {
  const words = new Uint32Array(50);
  lanes.forEach((lane, i) => {
    words[2 * i] = Number(BigInt.asUintN(32, lane));
    words[2 * i + 1] = Number(BigInt.asUintN(32, lane >> 32n));
  });
  keccakP(words);
  return lanes.map((_, i) => BigInt(words[2 * i] ?? 0) | (BigInt(words[2 * i + 1] ?? 0) << 32n));
}

function sha256Compression(block: bigint[], state: bigint[]): bigint[] {
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  block.forEach((word, i) => {
    view.setUint32(4 * i, Number(word));
  });
  return compress(state.map(Number), bytes).map(BigInt);
}

/** x, y, signature (r and s), hash and, last, whether the result counts at all. High s is refused. */
function ecdsa([x = [], y = [], signature = [], hash = [], predicate = [1n]]: bigint[][]): boolean {
  if (predicate[0] === 0n) return true;
  const bytes = (values: bigint[]) => Uint8Array.from(values, Number);
  const key = Uint8Array.from([4, ...bytes(x), ...bytes(y)]);
  try {
    return secp256k1.verify(bytes(signature), bytes(hash), key, { prehash: false, lowS: true });
  } catch {
    return false; // not a point, or r or s out of range
  }
}
