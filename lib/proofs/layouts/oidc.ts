import type { Hex } from "viem";
import type { Provider } from "../deployment";
import { PublicInputError } from "../errors";
import { boundedText, byteWords, formatWords, layoutRows, toLimbs, WordReader } from "../words";

/** Capacity in bytes of the domain, the nonce and the audience. */
export const OIDC_DOMAIN_MAX = 64;
export const OIDC_NONCE_MAX = 64;
export const OIDC_AUDIENCE_MAX = 96;

/** Text that a proof can show: printable ASCII without the quote and the backslash, which JSON escapes. */
const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]$/;
const DOMAIN_RULE = 'must be lower-case letters, digits, "-" and "."';

/** 311 words: 148 that verifiers of this kind share, then nonce and iat (design page "Circuits"), then the audience. */
export const oidcLayout = layoutRows(
  ["pubkey_modulus_limbs", 18, "limb120"],
  ["domain", OIDC_DOMAIN_MAX, "ascii"],
  ["domain_len", 1, "length"],
  ["scope", 32, "byte"],
  ["nullifier", 32, "byte"],
  ["provider", 1, "flag"],
  ["nonce", OIDC_NONCE_MAX, "ascii"],
  ["nonce_len", 1, "length"],
  ["iat", 1, "uint"],
  ["audience", OIDC_AUDIENCE_MAX, "ascii"],
  ["audience_len", 1, "length"],
);

/** The public facts of an oidc_domain_attestation proof. */
export type OidcPublicInputs = {
  /** RSA-2048 modulus of the key that signed the token; check that it is a pinned issuer's. */
  modulus: bigint;
  /** Domain of the verified email address, 1 to 64 bytes, lower case. */
  domain: string;
  /** keccak256 of the application's scope string. */
  scope: Hex;
  nullifier: Hex;
  provider: Provider;
  /** The token's nonce claim; null without one. */
  nonce: string | null;
  /** Issue time of the token in seconds. */
  iat: number;
  /** The token's aud claim: the OAuth client it was issued to; check that it is one of ours at this issuer. */
  audience: string;
};

/** Encodes the words of an OIDC proof. @throws RangeError if a value does not fit its field. */
export function encodeOidcPublicInputs(facts: OidcPublicInputs): Hex[] {
  return formatWords([
    ...toLimbs(facts.modulus),
    ...boundedText(facts.domain, OIDC_DOMAIN_MAX),
    ...byteWords(facts.scope),
    ...byteWords(facts.nullifier),
    facts.provider === "provider_a" ? 0n : 1n,
    ...boundedText(facts.nonce ?? "", OIDC_NONCE_MAX),
    BigInt(facts.iat),
    ...boundedText(facts.audience, OIDC_AUDIENCE_MAX),
  ]);
}

/**
 * Decodes the words of an OIDC proof.
 * @param input 311 words, or one hex blob of them.
 * @throws PublicInputError naming field and rule if a word is not canonical.
 */
export function decodeOidcPublicInputs(input: string | readonly string[]): OidcPublicInputs {
  const read = new WordReader(oidcLayout, input);
  const nonce = read.text("nonce", 0, OIDC_NONCE_MAX, PLAIN, "must be plain ASCII");
  return {
    modulus: read.limbs("pubkey_modulus_limbs"),
    domain: read.text("domain", 1, OIDC_DOMAIN_MAX, /^[a-z0-9.-]$/, DOMAIN_RULE),
    scope: read.bytes("scope"),
    nullifier: read.bytes("nullifier"),
    provider: read.uint("provider", 0, 1) === 0 ? "provider_a" : "provider_b",
    nonce: nonce === "" ? null : nonce,
    iat: read.uint("iat", 1, Number.MAX_SAFE_INTEGER),
    audience: read.text("audience", 1, OIDC_AUDIENCE_MAX, PLAIN, "must be plain ASCII"),
  };
}

/**
 * Compares the public inputs a prover returned with the expected facts.
 * @throws PublicInputError naming the first field that differs.
 */
export function assertOidcPublicInputs(
  actual: string | readonly string[],
  expected: Partial<OidcPublicInputs>,
): OidcPublicInputs {
  const facts = decodeOidcPublicInputs(actual);
  const differs = (field: string): never => {
    throw new PublicInputError(field, "is not what was asked for");
  };
  if (expected.modulus !== undefined && expected.modulus !== facts.modulus) differs("pubkey_modulus_limbs");
  for (const field of ["domain", "scope", "nullifier", "provider", "nonce", "iat", "audience"] as const) {
    if (expected[field] !== undefined && expected[field] !== facts[field]) differs(field);
  }
  return facts;
}
