import { type Hex, isAddressEqual, size, zeroHash } from "viem";
import { merkleProof, merkleRoot, scopeWord } from "../derivations";
import { ProofInputError } from "../errors";
import type { Attester } from "../trust/attesters";
import { byteWords } from "../words";
import { readSignature, recoverSigner } from "./secp256k1";
import { type AttestationTransaction, readAttestationTransaction, UNSIGNED_MAX_BYTES } from "./transaction";
import type { CountryWireInputs } from "./wire";

/** What the two wallet circuits share: the attestation, the wallet's signature, the attester's place in its list. */

/** A Noir BoundedVec as noir_js takes it. */
export type Bounded<T> = { storage: T[]; len: number };

/** Inputs both wallet circuits have, by parameter name; bytes as numbers. */
export type WalletCircuitInputs = {
  scope: number[];
  nullifier: number[];
  /** Public, but computed by whoever verifies: see signed-digest.ts. */
  signed_digest: number[];
  user_pubkey_x: number[];
  user_pubkey_y: number[];
  user_signature_r: number[];
  user_signature_s: number[];
  /** Type byte and nine RLP fields: what the attester signed. */
  unsigned_transaction: Bounded<number>;
  attester_pubkey_x: number[];
  attester_pubkey_y: number[];
  attester_signature_r: number[];
  attester_signature_s: number[];
  /** Two levels; unused ones zero. */
  merkle_path: number[][];
  leaf_index: number;
  depth: number;
};

export type BuiltInputs<Inputs, Facts> = {
  inputs: Inputs;
  /** The words a proof of these inputs must have. */
  publicInputs: Hex[];
  facts: Facts;
};

/** What a builder believes: our own configuration. */
export type Believed = {
  /** From `attestersOf(deployment.mode)[circuit]`. */
  attester: Attester;
  /** Scope strings the prover is configured with, for wires that give only the scope word. */
  scopes: readonly string[];
};

/** Wire fields both circuits have. */
export type WalletWire = Omit<CountryWireInputs, "signal_hash" | "country_list" | "is_included">;

const MERKLE_LEVELS = 2;

/** Refuses a client's value that is not the one computed here; the message holds neither. */
export function checkClaim(field: string, claimed: unknown, computed: unknown): void {
  if (claimed !== computed) {
    throw new ProofInputError("CLAIM_MISMATCH", field, `${field} is not what follows from the other inputs`);
  }
}

/**
 * The scope string and its word. A given string must hash to `scope_bytes`; without one the configured strings are
 * searched.
 * @throws ProofInputError SCOPE_UNKNOWN or CLAIM_MISMATCH, field scope_bytes.
 */
export function resolveScope(
  wire: Pick<WalletWire, "scope" | "scope_bytes">,
  scopes: readonly string[],
): { scope: string; word: Hex } {
  const scope = wire.scope ?? scopes.find((known) => scopeWord(known) === wire.scope_bytes);
  if (scope === undefined) {
    throw new ProofInputError(
      "SCOPE_UNKNOWN",
      "scope_bytes",
      "scope_bytes belongs to no scope this service knows; send the scope string too, as scope",
    );
  }
  const word = scopeWord(scope);
  checkClaim("scope_bytes", wire.scope_bytes, word);
  return { scope, word };
}

/**
 * Reads the attestation and checks every claim about it: recipient, attester key, membership, lengths.
 * @throws ProofInputError
 */
export async function readAttestation(wire: WalletWire, attester: Attester): Promise<AttestationTransaction> {
  const attestation = await readAttestationTransaction(wire.raw_transaction, attester);
  if (!isAddressEqual(attestation.recipient, wire.user_address)) {
    throw new ProofInputError(
      "WRONG_RECIPIENT",
      "user_address",
      "the transaction attests another wallet than user_address",
    );
  }
  const { signer, leafIndex } = attestation;
  const siblings = merkleProof(attester.signers, leafIndex);
  checkClaim("tx_length", wire.tx_length, size(wire.raw_transaction));
  checkClaim("attester_pubkey_x", wire.attester_pubkey_x, signer.x);
  checkClaim("attester_pubkey_y", wire.attester_pubkey_y, signer.y);
  checkClaim("merkle_root", wire.merkle_root, merkleRoot(attester.signers));
  checkClaim("merkle_proof", wire.merkle_proof.join(), siblings.join());
  checkClaim("leaf_index", wire.leaf_index, leafIndex);
  checkClaim("depth", wire.depth, siblings.length);
  return attestation;
}

/** What the wallet signed, its public key and its signature. */
export type UserSignature = { digest: Hex; x: Hex; y: Hex; r: Hex; s: Hex };

/**
 * The wallet's signature over a digest, made by `user_address` and nobody else.
 * @throws ProofInputError SIGNATURE_INVALID, WRONG_SIGNER or CLAIM_MISMATCH.
 */
export async function readUserSignature(wire: WalletWire, digest: Hex): Promise<UserSignature> {
  const signature = readSignature(wire.signature);
  const signer = signature && (await recoverSigner(digest, signature));
  if (!signature || !signer) {
    throw new ProofInputError(
      "SIGNATURE_INVALID",
      "signature",
      "signature must be r, s, v with s in the lower half of the curve's order and v 0, 1, 27 or 28",
    );
  }
  if (!isAddressEqual(signer.address, wire.user_address)) {
    throw new ProofInputError(
      "WRONG_SIGNER",
      "signature",
      "signature was not made by user_address over what this circuit has it sign",
    );
  }
  checkClaim("user_pubkey_x", wire.user_pubkey_x, signer.x);
  checkClaim("user_pubkey_y", wire.user_pubkey_y, signer.y);
  return { digest, x: signer.x, y: signer.y, r: signature.r, s: signature.s };
}

/** The shared inputs in the form noir_js takes. */
export function walletCircuitInputs(parts: {
  attester: Attester;
  attestation: AttestationTransaction;
  user: UserSignature;
  scope: Hex;
  nullifier: Hex;
}): WalletCircuitInputs {
  const { attester, attestation, user } = parts;
  const { signer, signature, leafIndex } = attestation;
  const siblings = merkleProof(attester.signers, leafIndex);
  return {
    scope: bytesOf(parts.scope),
    nullifier: bytesOf(parts.nullifier),
    signed_digest: bytesOf(user.digest),
    user_pubkey_x: bytesOf(user.x),
    user_pubkey_y: bytesOf(user.y),
    user_signature_r: bytesOf(user.r),
    user_signature_s: bytesOf(user.s),
    unsigned_transaction: bounded(bytesOf(attestation.unsigned), UNSIGNED_MAX_BYTES, 0),
    attester_pubkey_x: bytesOf(signer.x),
    attester_pubkey_y: bytesOf(signer.y),
    attester_signature_r: bytesOf(signature.r),
    attester_signature_s: bytesOf(signature.s),
    merkle_path: Array.from({ length: MERKLE_LEVELS }, (_, level) => bytesOf(siblings[level] ?? zeroHash)),
    leaf_index: leafIndex,
    depth: siblings.length,
  };
}

/** Bytes of a hex string as numbers. */
export function bytesOf(hex: Hex): number[] {
  return byteWords(hex).map(Number);
}

/** A BoundedVec of `capacity` entries. */
export function bounded<T>(entries: readonly T[], capacity: number, empty: T): Bounded<T> {
  return { storage: Array.from({ length: capacity }, (_, i) => entries[i] ?? empty), len: entries.length };
}
