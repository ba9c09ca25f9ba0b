import type { Address } from "viem";
import type { EligibilityCircuit } from "@/lib/proofs/attestation/eligibility";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import {
  circuitTag,
  countrySignalHash,
  eligibilitySignalHash,
  merkleProof,
  oidcNullifier,
  scopeWord,
  walletNullifier,
} from "@/lib/proofs/derivations";
import { COUNTRY_MAX } from "@/lib/proofs/layouts/country";
import { type AttestedCircuit, attestersOf } from "@/lib/proofs/trust/attesters";

/** The guides' circuit-specific parts; prover/circuits has a row for each. */
export const circuitGuides: Readonly<Record<CircuitId, (deployment: Deployment) => CircuitGuide>> = {
  oidc_domain_attestation: oidcGuide,
  partner_country_attestation: countryGuide,
  network_eligibility: (deployment) => eligibilityGuide(deployment, "network_eligibility"),
  regional_attestation: (deployment) => eligibilityGuide(deployment, "regional_attestation"),
};

/** One field of a request's `inputs`. */
interface GuideField {
  name: string;
  type: string;
  required: boolean;
  note: string;
}

/** The circuit-specific part of a guide. */
interface CircuitGuide {
  fields: GuideField[];
  serverComputed: string[];
  formulas: Record<string, string>;
  limits: Record<string, number>;
  /** Public only: no tokens, no keys. */
  vectors: unknown[];
}

/** Proofs from identity tokens. */
function oidcGuide(deployment: Deployment): CircuitGuide {
  const scope = scopeWord(deployment.scope);
  const email = "alice@example.com";
  return {
    fields: [
      field(
        "jwt",
        "string",
        "RS256 id token of one of our clients at the issuer (see issuers), with email and email_verified",
      ),
      field("jwks", "object", "key set; a claim: proofs use the pinned issuer's", false),
      field("scope", "string", "application scope string, partitions nullifiers"),
      field(
        "provider",
        "provider_a | provider_b",
        "must match the token's issuer; default provider_a",
        false,
      ),
    ],
    serverComputed: [
      "pubkey_modulus_limbs",
      "domain",
      "scope",
      "nullifier",
      "audience",
      "partial_data",
      "partial_hash",
      "full_data_length",
      "base64_decode_offset",
      "redc_params_limbs",
      "signature_limbs",
    ],
    formulas: {
      scope: "keccak256(utf8(scope string))",
      nullifier: "keccak256(keccak256(utf8(email)) || scope)",
      domain: "everything after the @ of the email claim, lower case",
      partial_hash: "SHA-256 state over the signed data up to a 64-byte block before the first needed claim",
      rsa_limbs: "18 limbs of 120 bits, least significant first: (value >> (i * 120)) & (2^120 - 1)",
      nonce: "bytes of the token's nonce claim, zero tail; its length 0 when there is none",
      iat: "the token's iat claim in seconds",
      audience:
        "bytes of the token's aud claim, zero tail, and their number: which of our clients asked. Only the issuer's client_ids are accepted, and without a nonce only its device client",
    },
    limits: {
      email_bytes: 128,
      domain_bytes: 64,
      nonce_bytes: 64,
      audience_bytes: 96,
      partial_data_bytes: 640,
      jwt_characters: 8192,
    },
    vectors: [
      { scope_string: deployment.scope, scope },
      { email, scope, domain: "example.com", nullifier: oidcNullifier(email, scope) },
    ],
  };
}

/** Wallet of the examples: an address without a known key. */
const exampleUser: Address = "0x00000000000000000000000000000000000A11cE";
const exampleNonce = "an-example-challenge-nonce";

function field(name: string, type: string, note: string, required = true): GuideField {
  return { name, type, required, note };
}
const hex32 = "hex string, 32 bytes";

/** Fields of all three wallet circuits; all but the signed data are claims that the prover recomputes. */
function walletFields(signal: string): GuideField[] {
  return [
    field("signal_hash", hex32, signal),
    field("nullifier", hex32, "see formulas; a claim that is checked"),
    field("scope_bytes", hex32, "keccak256 of the scope string"),
    field(
      "scope",
      "string of 1 to 88 UTF-8 bytes",
      "the scope string; may be left out when scope_bytes is one this prover is configured for",
      false,
    ),
    field("merkle_root", hex32, "root over authorized_signers; a claim that is checked"),
    field("user_address", "hex string, 20 bytes", "the wallet that was attested"),
    field("signature", "hex string, 65 bytes (r, s, v)", "by that wallet; see formulas; low s only"),
    field("user_pubkey_x", hex32, "recovered from the signature"),
    field("user_pubkey_y", hex32, "recovered from the signature"),
    field("raw_transaction", "hex string", "the signed EIP-1559 attestation transaction (12 RLP fields)"),
    field("tx_length", "number", "bytes of raw_transaction"),
    field("attester_pubkey_x", hex32, "recovered from the attestation transaction"),
    field("attester_pubkey_y", hex32, "recovered from the attestation transaction"),
    field(
      "merkle_proof",
      "hex string[], 32 bytes each",
      "siblings from leaf to root; empty for a single signer",
    ),
    field("leaf_index", "number", "place of the transaction's signer in authorized_signers, from 0"),
    field("depth", "number", "number of siblings"),
  ];
}

const sharedFormulas = {
  scope: "keccak256(utf8(scope string))",
  merkle_leaf: "keccak256(20 address bytes of an authorized signer)",
  merkle_node: "keccak256(left || right); an odd last node is paired with itself",
  attestation:
    "the unsigned payload (0x02 || rlp of nine fields) has chain_id, attester_contract, value 0, calldata and an empty access list; its keccak256 is what the attester signed",
  /** How a proof is verified where a wallet signed. */
  signed_digest:
    "what the wallet signed; 32 more public words of the circuit, one byte each, which you do not pass: the contract at verifier_address computes them from public_inputs and appends them. Whoever verifies elsewhere has to do the same",
};

const sharedLimits = {
  scope_bytes_utf8: 88,
  unsigned_transaction_bytes: 135,
  merkle_depth: 2,
};

/** Example: the Merkle proof of the first signer. */
function merkleVector(deployment: Deployment, circuit: AttestedCircuit) {
  const { signers, root } = attestersOf(deployment.mode)[circuit];
  return { signer: signers[0], leaf_index: 0, merkle_proof: merkleProof(signers, 0), merkle_root: root };
}

/** Proofs of the attested country. */
function countryGuide(deployment: Deployment): CircuitGuide {
  const circuit: CircuitId = "partner_country_attestation";
  const scope = scopeWord(deployment.scope);
  const signal = countrySignalHash(exampleUser, deployment.scope, circuit);
  return {
    fields: [
      ...walletFields("keccak256 of packed (user_address, scope string, circuit id): what the wallet signs"),
      field("country_list", "string[]", "1 to 10 distinct ISO 3166-1 alpha-2 codes, upper case; public"),
      field("is_included", "boolean", "true proves membership in country_list, false non-membership; public"),
    ],
    serverComputed: [
      "unsigned_transaction",
      "scope_string",
      "signed_digest",
      "user_signature_r/s",
      "attester_signature_r/s",
    ],
    formulas: {
      ...sharedFormulas,
      signal_hash: "keccak256(user_address (20 bytes) || utf8(scope string) || utf8(circuit id))",
      signature: "EIP-191 personal_sign of the 32 bytes of signal_hash",
      nullifier: "keccak256(keccak256(user_address || signal_hash) || scope)",
      calldata: "selector || 10 zero bytes || 2 country bytes || 20 bytes of user_address",
    },
    limits: { ...sharedLimits, countries: COUNTRY_MAX },
    vectors: [
      { scope_string: deployment.scope, scope },
      {
        user_address: exampleUser,
        scope,
        signal_hash: signal,
        nullifier: walletNullifier(exampleUser, signal, scope),
      },
      merkleVector(deployment, circuit),
    ],
  };
}

/** Proofs of an accepted check of the wallet's holder, with or without an action. */
function eligibilityGuide(deployment: Deployment, circuit: EligibilityCircuit): CircuitGuide {
  const scope = scopeWord(deployment.scope);
  const tag = circuitTag(circuit);
  return {
    fields: [
      ...walletFields(
        "identity mode: any 32 bytes of the application's choice, public, signed by the wallet; action mode: zero or left out",
      ).map((each) => (each.name === "signal_hash" ? { ...each, required: false } : each)),
      field("domain_separator", hex32, "action mode: EIP-712 domain hash; together with action_hash", false),
      field("action_hash", hex32, "action mode: EIP-712 hashStruct(primaryType, message)", false),
      field(
        "action",
        "EIP-712 typed data {domain, types, primaryType, message}",
        "instead of, or beside, the two hashes; domain needs name, version, chainId and verifyingContract",
        false,
      ),
    ],
    serverComputed: ["unsigned_transaction", "signed_digest", "user_signature_r/s", "attester_signature_r/s"],
    formulas: {
      ...sharedFormulas,
      signature: "identity mode: EIP-191 personal_sign of the 32 bytes of signal_hash",
      signing_digest:
        "action mode: keccak256(0x1901 || domain_separator || action_hash), as eth_signTypedData_v4",
      nullifier:
        "keccak256(keccak256(user_address || keccak256(utf8(circuit id))) || scope), the same in both modes",
      calldata: "selector || 12 zero bytes || 20 bytes of user_address",
      community_signal_hash:
        'what this community accepts at a join: keccak256(utf8("<circuit id>:<scope string>:<challenge nonce>"))',
    },
    limits: sharedLimits,
    vectors: [
      { scope_string: deployment.scope, scope },
      {
        user_address: exampleUser,
        circuit_tag: tag,
        scope,
        nullifier: walletNullifier(exampleUser, tag, scope),
      },
      {
        challenge_nonce: exampleNonce,
        signal_hash: eligibilitySignalHash(circuit, deployment.scope, exampleNonce),
      },
      merkleVector(deployment, circuit),
    ],
  };
}
