import type { Deployment } from "@/lib/proofs/deployment";
import { oidcNullifier, scopeWord } from "@/lib/proofs/derivations";
import type { CircuitGuide } from "./types";

/** Proofs from identity tokens. */
export function oidcGuide(deployment: Deployment): CircuitGuide {
  const scope = scopeWord(deployment.scope);
  const email = "alice@example.com";
  return {
    fields: [
      {
        name: "jwt",
        type: "string",
        required: true,
        note: "RS256 id token of one of our clients at the issuer (see issuers), with email and email_verified",
      },
      {
        name: "jwks",
        type: "object",
        required: false,
        note: "key set; a claim: proofs use the pinned issuer's",
      },
      {
        name: "scope",
        type: "string",
        required: true,
        note: "application scope string, partitions nullifiers",
      },
      {
        name: "provider",
        type: "provider_a | provider_b",
        required: false,
        note: "must match the token's issuer; default provider_a",
      },
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
