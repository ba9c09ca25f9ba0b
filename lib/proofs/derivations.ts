import { _SHA256 } from "@noble/hashes/sha2.js";
import { type Address, concat, encodePacked, type Hex, keccak256, stringToBytes } from "viem";
import type { CircuitId } from "./deployment";

/** The formulas of spec/prover-api.md, "Derivations". Hashes are keccak256 unless stated otherwise. */

/** Returns the scope word: keccak256 of the UTF-8 bytes of the scope string. */
export function scopeWord(scope: string): Hex {
  return keccak256(stringToBytes(scope));
}

/** Returns the nullifier of an OIDC proof: keccak256(keccak256(email bytes) ‖ scope word). */
export function oidcNullifier(email: string, scope: Hex): Hex {
  return keccak256(concat([keccak256(stringToBytes(email)), scope]));
}

/** Returns the domain of an email address; null unless it has exactly one @ with text on both sides. */
export function emailDomain(email: string): string | null {
  const [local, domain, ...rest] = email.split("@");
  return local && domain && rest.length === 0 ? domain : null;
}

/** Returns the tag in an eligibility circuit's nullifier: keccak256 of the circuit id. */
export function circuitTag(circuit: CircuitId): Hex {
  return keccak256(stringToBytes(circuit));
}

/** Returns the country circuit's signal hash: keccak256 of packed (address, string scope, string circuit id). */
export function countrySignalHash(user: Address, scope: string, circuit: CircuitId): Hex {
  return keccak256(encodePacked(["address", "string", "string"], [user, scope, circuit]));
}

/**
 * Returns the signal hash of an identity-only eligibility proof for a challenge: keccak256 of the UTF-8 bytes of
 * `<circuit id>:<scope string>:<challenge nonce>`. The circuit does not constrain the value; the community accepts only
 * that of the caller's own challenge, so an intercepted proof is useless to anyone else.
 */
export function eligibilitySignalHash(circuit: CircuitId, scope: string, nonce: string): Hex {
  return keccak256(stringToBytes(`${circuit}:${scope}:${nonce}`));
}

/**
 * Returns the nullifier of a wallet circuit: keccak256(keccak256(address ‖ tag) ‖ scope word).
 * @param tag the signal hash (country circuit) or `circuitTag` (eligibility circuits).
 */
export function walletNullifier(user: Address, tag: Hex, scope: Hex): Hex {
  return keccak256(concat([keccak256(concat([user, tag])), scope]));
}

/** Returns the digest that a wallet signs for an action (EIP-712): keccak256(0x1901 ‖ domain separator ‖ action hash). */
export function actionDigest(domainSeparator: Hex, actionHash: Hex): Hex {
  return keccak256(concat(["0x1901", domainSeparator, actionHash]));
}

/** Returns the attester tree's levels, leaves first. Leaf = keccak256(20 address bytes), node = keccak256(left ‖ right). */
function merkleLevels(signers: readonly Address[]): Hex[][] {
  if (signers.length === 0) throw new RangeError("a signer list has at least one address");
  let level = signers.map((signer) => keccak256(signer));
  const levels = [level];
  while (level.length > 1) {
    const below = level;
    // An odd last node is paired with itself (spec/prover-api.md, "Merkle node").
    level = below.flatMap((left, i) =>
      i % 2 === 0 ? [keccak256(concat([left, below[i + 1] ?? left]))] : [],
    );
    levels.push(level);
  }
  return levels;
}

/** Returns the root over attester addresses; a single leaf is its own root. */
export function merkleRoot(signers: readonly Address[]): Hex {
  const top = merkleLevels(signers).at(-1)?.[0];
  if (!top) throw new RangeError("a signer list has at least one address");
  return top;
}

/** Returns the siblings from leaf to root for the signer at `index`. @throws RangeError if there is no such signer. */
export function merkleProof(signers: readonly Address[], index: number): Hex[] {
  if (!Number.isInteger(index) || index < 0 || index >= signers.length) throw new RangeError("no such leaf");
  return merkleLevels(signers)
    .slice(0, -1)
    .map((level, depth) => {
      const own = index >> depth;
      const sibling = level[own ^ 1] ?? level[own];
      if (!sibling) throw new RangeError("no such leaf");
      return sibling;
    });
}

class Sha256State extends _SHA256 {
  words(): number[] {
    return this.get().map((word) => word >>> 0);
  }
}

/**
 * Returns the SHA-256 chaining value after whole blocks as eight u32 (FIPS 180-4, 6.2.2).
 * @throws RangeError if the length is not a multiple of 64 bytes.
 */
export function sha256State(blocks: Uint8Array): number[] {
  if (blocks.length % 64 !== 0) throw new RangeError("SHA-256 state exists at multiples of 64 bytes only");
  return new Sha256State().update(blocks).words();
}

/** Bits beyond twice the modulus size in the Barrett parameter. */
const BARRETT_EXTRA_BITS = 4n;

/**
 * Returns the Barrett parameter floor(2^(2k + 4) / n) for a k = 2048 bit modulus. It is only a hint for the quotient:
 * the circuit's soundness does not depend on it (design page "Circuits", rule 4).
 */
export function barrettParameter(modulus: bigint): bigint {
  return (1n << (2n * 2048n + BARRETT_EXTRA_BITS)) / modulus;
}
