import { type Hex, zeroHash } from "viem";
import { PublicInputError } from "../errors";
import { byteWords, formatWords, layoutRows, WordReader } from "../words";

/** 192 words, shared by network_eligibility and regional_attestation (spec/prover-api.md). */
export const eligibilityLayout = layoutRows(
  ["signal_hash", 32, "byte"],
  ["domain_separator", 32, "byte"],
  ["action_hash", 32, "byte"],
  ["signer_list_merkle_root", 32, "byte"],
  ["scope", 32, "byte"],
  ["nullifier", 32, "byte"],
);

/** The public facts of an eligibility proof. */
export type EligibilityPublicInputs = {
  signalHash: Hex;
  /** The EIP-712 action that the same wallet authorized; null for an identity-only proof. */
  action: { domainSeparator: Hex; actionHash: Hex } | null;
  /** Root over the attester addresses; check that it is a trusted one. */
  merkleRoot: Hex;
  scope: Hex;
  nullifier: Hex;
};

/** Encodes the words of an eligibility proof. */
export function encodeEligibilityPublicInputs(facts: EligibilityPublicInputs): Hex[] {
  return formatWords([
    ...byteWords(facts.signalHash),
    ...byteWords(facts.action?.domainSeparator ?? zeroHash),
    ...byteWords(facts.action?.actionHash ?? zeroHash),
    ...byteWords(facts.merkleRoot),
    ...byteWords(facts.scope),
    ...byteWords(facts.nullifier),
  ]);
}

/**
 * Decodes the words of an eligibility proof.
 * @throws PublicInputError if a word is not canonical, or only half of an action is present.
 */
export function decodeEligibilityPublicInputs(input: string | readonly string[]): EligibilityPublicInputs {
  const read = new WordReader(eligibilityLayout, input);
  const domainSeparator = read.bytes("domain_separator");
  const actionHash = read.bytes("action_hash");
  if ((domainSeparator === zeroHash) !== (actionHash === zeroHash)) {
    throw new PublicInputError("action_hash", "must be zero exactly when domain_separator is");
  }
  return {
    signalHash: read.bytes("signal_hash"),
    action: actionHash === zeroHash ? null : { domainSeparator, actionHash },
    merkleRoot: read.bytes("signer_list_merkle_root"),
    scope: read.bytes("scope"),
    nullifier: read.bytes("nullifier"),
  };
}
