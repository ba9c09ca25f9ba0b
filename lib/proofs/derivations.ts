import { _SHA256 } from "@noble/hashes/sha2.js";
import { type Address, concat, encodePacked, type Hex, keccak256, stringToBytes } from "viem";
import type { CircuitId } from "./deployment";

/** Every formula of spec/prover-api.md, "Derivations". Hashes are keccak256 unless named otherwise. */

/** Scope word: keccak256 of the UTF-8 bytes of the scope string. */
export function scopeWord(scope: string): Hex {
  return keccak256(stringToBytes(scope));
}

/** Nullifier of an OIDC proof: keccak256(keccak256(email bytes) ‖ scope word). */
export function oidcNullifier(email: string, scope: Hex): Hex {
  return keccak256(concat([keccak256(stringToBytes(email)), scope]));
}

/** Domain of an email address: everything after the @. Null unless there is exactly one @ with text on both sides. */
export function emailDomain(email: string): string | null {
  const [local, domain, ...rest] = email.split("@");
  return local && domain && rest.length === 0 ? domain : null;
}

/** Tag in the nullifier of an eligibility circuit: keccak256 of the circuit id. */
export function circuitTag(circuit: CircuitId): Hex {
  return keccak256(stringToBytes(circuit));
}

/** Signal hash of the country circuit: keccak256 of packed (address, string scope, string circuit id). */
export function countrySignalHash(user: Address, scope: string, circuit: CircuitId): Hex {
  return keccak256(encodePacked(["address", "string", "string"], [user, scope, circuit]));
}

/**
 * Signal hash of an identity-only eligibility proof that answers a challenge: keccak256 of the UTF-8 bytes of
 * `<circuit id>:<scope string>:<challenge nonce>`. The circuit leaves the value free; this community accepts only
 * the one of the caller's own challenge, so a proof seen on its way is worth nothing to anybody else.
 */
export function eligibilitySignalHash(circuit: CircuitId, scope: string, nonce: string): Hex {
  return keccak256(stringToBytes(`${circuit}:${scope}:${nonce}`));
}

/**
 * Nullifier of the wallet circuits: keccak256(keccak256(address ‖ tag) ‖ scope word).
 * @param tag the signal hash (country circuit) or `circuitTag` (eligibility circuits).
 */
export function walletNullifier(user: Address, tag: Hex, scope: Hex): Hex {
  return keccak256(concat([keccak256(concat([user, tag])), scope]));
}

/** What a wallet signs for an action (EIP-712): keccak256(0x1901 ‖ domain separator ‖ action hash). */
export function actionDigest(domainSeparator: Hex, actionHash: Hex): Hex {
  return keccak256(concat(["0x1901", domainSeparator, actionHash]));
}

/** Levels of the attester tree, leaves first. Leaf = keccak256(20 address bytes), node = keccak256(left ‖ right). */
function merkleLevels(signers: readonly Address[]): Hex[][] {
  if (signers.length === 0) throw new RangeError("a signer list has at least one address");
  const levels: Hex[][] = [signers.map((signer) => keccak256(signer))];
  for (let level = levels[0] ?? []; level.length > 1; ) {
    const below = level;
    const parents: Hex[] = [];
    below.forEach((left, i) => {
      // An odd last node is paired with itself (spec/prover-api.md, "Merkle node").
      if (i % 2 === 0) parents.push(keccak256(concat([left, below[i + 1] ?? left])));
    });
    levels.push(parents);
    level = parents;
  }
  return levels;
}

/** Root over authorised attester addresses; a single signer is its own root. */
export function merkleRoot(signers: readonly Address[]): Hex {
  const top = merkleLevels(signers).at(-1)?.[0];
  if (!top) throw new RangeError("a signer list has at least one address");
  return top;
}

/** Siblings from leaf to root for the signer at `index`. @throws RangeError when there is none. */
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
 * SHA-256 chaining value after whole blocks, as eight u32 (FIPS 180-4, 6.2.2): the initial value for no blocks.
 * @throws RangeError when the length is not a multiple of 64 bytes.
 */
export function sha256State(blocks: Uint8Array): number[] {
  if (blocks.length % 64 !== 0) throw new RangeError("SHA-256 state exists at multiples of 64 bytes only");
  return new Sha256State().update(blocks).words();
}

/** Bits beyond twice the modulus size in the Barrett parameter. */
const BARRETT_EXTRA_BITS = 4n;

/**
 * Barrett parameter floor(2^(2k + 4) / n) for a k = 2048 bit modulus. Only a hint for the quotient: the
 * circuit's soundness does not depend on it (design page "Circuits", rule 4).
 */
export function barrettParameter(modulus: bigint): bigint {
  return (1n << (2n * 2048n + BARRETT_EXTRA_BITS)) / modulus;
}
