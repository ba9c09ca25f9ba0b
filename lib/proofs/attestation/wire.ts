import { size } from "viem";
import { z } from "zod";
import { addressSchema, hex32Schema, hexSchema } from "../hex";
import { actionSchema } from "./action";

/**
 * REST inputs of the wallet circuits (spec/prover-api.md). Every value is a claim that the input builders recompute and
 * compare. None may reach a log or an error message.
 */

/** Maximum UTF-8 bytes of a scope string: with the address and the circuit id it must fit into one keccak block. */
export const SCOPE_MAX_BYTES = 88;
/** Maximum signed transaction to parse; provable ones are below 210 bytes. */
const RAW_TRANSACTION_MAX_BYTES = 4096;

/** Application scope string, 1 to 88 UTF-8 bytes. */
export const scopeStringSchema = z
  .string()
  .min(1)
  .refine((text) => new TextEncoder().encode(text).length <= SCOPE_MAX_BYTES, {
    error: `must be at most ${SCOPE_MAX_BYTES} bytes of UTF-8`,
  })
  // An unpaired surrogate has no UTF-8 encoding: two strings would share one scope word.
  .refine((text) => !/\p{Surrogate}/u.test(text), { error: "must be well-formed Unicode" });

const signatureSchema = hexSchema.refine((hex) => size(hex) === 65, { error: "must be 65 bytes: r, s, v" });
const rawTransactionSchema = hexSchema.refine((hex) => size(hex) <= RAW_TRANSACTION_MAX_BYTES, {
  error: `must be at most ${RAW_TRANSACTION_MAX_BYTES} bytes`,
});

const walletFields = {
  nullifier: hex32Schema,
  /** keccak256 of the scope string. */
  scope_bytes: hex32Schema,
  /** The scope string; without it, `scope_bytes` must match one of the prover's configured scopes. */
  scope: scopeStringSchema.optional(),
  merkle_root: hex32Schema,
  user_address: addressSchema,
  /** r, s, v over `signal_hash` (personal_sign), or over the action (EIP-712). */
  signature: signatureSchema,
  user_pubkey_x: hex32Schema,
  user_pubkey_y: hex32Schema,
  /** Signed EIP-1559 attestation transaction, 12 RLP fields. */
  raw_transaction: rawTransactionSchema,
  /** Byte length of `raw_transaction`. */
  tx_length: z.int().nonnegative(),
  attester_pubkey_x: hex32Schema,
  attester_pubkey_y: hex32Schema,
  /** Siblings from leaf to root. */
  merkle_proof: z.array(hex32Schema).max(32),
  leaf_index: z.int().nonnegative(),
  depth: z.int().nonnegative(),
};

/** Inputs of partner_country_attestation. */
export const countryWireInputsSchema = z.object({
  signal_hash: hex32Schema,
  ...walletFields,
  /** 1 to 10 distinct ISO 3166-1 alpha-2 codes; the builder checks the rules. */
  country_list: z.array(z.string().max(16)).max(300),
  is_included: z.boolean(),
});
export type CountryWireInputs = z.infer<typeof countryWireInputsSchema>;

/**
 * Inputs of network_eligibility and regional_attestation. Identity mode omits `domain_separator`, `action_hash` and
 * `action`; action mode has both hashes, or the action, or all three.
 */
export const eligibilityWireInputsSchema = z.object({
  /** Identity mode: what the wallet signed. Action mode: zero or omitted. */
  signal_hash: hex32Schema.optional(),
  ...walletFields,
  domain_separator: hex32Schema.optional(),
  action_hash: hex32Schema.optional(),
  action: actionSchema.optional(),
});
export type EligibilityWireInputs = z.infer<typeof eligibilityWireInputsSchema>;
