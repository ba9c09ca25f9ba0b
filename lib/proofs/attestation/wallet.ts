import { type Hex, isAddressEqual, size, zeroHash } from "viem";
import { merkleProof, merkleRoot, scopeWord } from "../derivations";
import { ProofInputError } from "../errors";
import type { Attester } from "../trust/attesters";
import { bounded, bytesOf } from "../words";
import { readSignature, recoverSigner } from "./secp256k1";
import { type AttestationTransaction, readAttestationTransaction, UNSIGNED_MAX_BYTES } from "./transaction";
import type { CountryWireInputs } from "./wire";

/** What the wallet circuits share: the attestation, the wallet's signature, the attester's position in its list. */

/** What a builder trusts: our own configuration. */
export type Trusted = {
  /** From `attestersOf(deployment.mode)[circuit]`. */
  attester: Attester;
  /** The prover's configured scope strings, for requests with only the scope word. */
  scopes: readonly string[];
};

/** Wire fields that both circuits have. */
type WalletWire = Omit<CountryWireInputs, "signal_hash" | "country_list" | "is_included">;

/** Rejects a client's value that differs from the computed one; the message contains neither. */
export function checkClaim(field: string, claimed: unknown, computed: unknown): void {
  if (claimed !== computed) {
    throw new ProofInputError("CLAIM_MISMATCH", field, `${field} does not match the other inputs`);
  }
}

/**
 * Returns the scope string and its word. A given string must hash to `scope_bytes`; otherwise `scopes` is searched.
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
      "scope_bytes matches no scope of this service; also send the scope string, as scope",
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
    throw new ProofInputError("WRONG_RECIPIENT", "user_address", "the transaction attests another wallet");
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

/** The digest the wallet signed, its public key and its signature. */
type UserSignature = { digest: Hex; x: Hex; y: Hex; r: Hex; s: Hex };

/**
 * Returns the wallet's signature over a digest and its key, recovered and compared with `user_address`.
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
      "signature was not made by user_address over the digest of this circuit",
    );
  }
  checkClaim("user_pubkey_x", wire.user_pubkey_x, signer.x);
  checkClaim("user_pubkey_y", wire.user_pubkey_y, signer.y);
  return { digest, x: signer.x, y: signer.y, r: signature.r, s: signature.s };
}

/** Returns the inputs that both wallet circuits have, by parameter name. */
export function walletCircuitInputs(parts: {
  attester: Attester;
  attestation: AttestationTransaction;
  user: UserSignature;
  scope: Hex;
  nullifier: Hex;
}) {
  const { attester, attestation, user } = parts;
  const { signer, signature, leafIndex } = attestation;
  const siblings = merkleProof(attester.signers, leafIndex);
  return {
    scope: bytesOf(parts.scope),
    nullifier: bytesOf(parts.nullifier),
    // Public, but computed by the verifier: see signed-digest.ts.
    signed_digest: bytesOf(user.digest),
    user_pubkey_x: bytesOf(user.x),
    user_pubkey_y: bytesOf(user.y),
    user_signature_r: bytesOf(user.r),
    user_signature_s: bytesOf(user.s),
    // Type byte and nine RLP fields: what the attester signed.
    unsigned_transaction: bounded(bytesOf(attestation.unsigned), UNSIGNED_MAX_BYTES, 0),
    attester_pubkey_x: bytesOf(signer.x),
    attester_pubkey_y: bytesOf(signer.y),
    attester_signature_r: bytesOf(signature.r),
    attester_signature_s: bytesOf(signature.s),
    // Two levels; unused ones are zero.
    merkle_path: [0, 1].map((level) => bytesOf(siblings[level] ?? zeroHash)),
    leaf_index: leafIndex,
    depth: siblings.length,
  };
}
