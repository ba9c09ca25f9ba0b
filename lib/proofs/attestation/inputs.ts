import type { Address, Hex } from "viem";
import type { CountryPublicInputs } from "../layouts/country";
import type { EligibilityPublicInputs } from "../layouts/eligibility";
import type { Attester } from "../trust/attesters";
import type { CountryWireInputs, EligibilityWireInputs } from "./wire";

/** A Noir BoundedVec as noir_js takes it. */
export type Bounded<T> = { storage: T[]; len: number };

/** Inputs both wallet circuits have, by parameter name; bytes as numbers. */
export type WalletCircuitInputs = {
  scope: number[];
  nullifier: number[];
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
  /** Three levels; unused ones zero. */
  merkle_path: number[][];
  leaf_index: number;
  depth: number;
};

/** Inputs of circuits/bin/partner_country_attestation. */
export type CountryCircuitInputs = WalletCircuitInputs & {
  signal_hash: number[];
  merkle_root: number[];
  countries: Bounded<number[]>;
  is_included: boolean;
  scope_string: Bounded<number>;
};

/** Inputs of circuits/bin/network_eligibility and regional_attestation. */
export type EligibilityCircuitInputs = WalletCircuitInputs & {
  signal_hash: number[];
  domain_separator: number[];
  action_hash: number[];
  signer_list_merkle_root: number[];
};

export type BuiltInputs<Inputs, Facts> = {
  inputs: Inputs;
  /** The words a proof of these inputs must have. */
  publicInputs: Hex[];
  facts: Facts;
  /** For `checkAttestation`. Private. */
  recipient: Address;
  rawTransaction: Hex;
};

/** What a builder believes: our own configuration. */
export type Believed = {
  /** From `attestersOf(deployment.mode)[circuit]`. */
  attester: Attester;
  /** Scope strings the prover is configured with, for wires that give only the scope word. */
  scopes: readonly string[];
};

/**
 * Circuit inputs of partner_country_attestation; every value of the wire is recomputed.
 * @throws ProofInputError with code and wire field; its message holds no private input.
 */
export async function buildCountryInputs(
  _request: Believed & { wire: CountryWireInputs },
): Promise<BuiltInputs<CountryCircuitInputs, CountryPublicInputs>> {
  throw new Error("not built yet");
}

/** Circuits with the eligibility layout. */
export type EligibilityCircuit = "network_eligibility" | "regional_attestation";

/**
 * Circuit inputs of an eligibility circuit, in identity mode or action mode; every value of the wire is recomputed,
 * but the signal hash of identity mode, which the wallet chose to sign.
 * @throws ProofInputError with code and wire field; its message holds no private input.
 */
export async function buildEligibilityInputs(
  _request: Believed & { wire: EligibilityWireInputs; circuit: EligibilityCircuit },
): Promise<BuiltInputs<EligibilityCircuitInputs, EligibilityPublicInputs>> {
  throw new Error("not built yet");
}
