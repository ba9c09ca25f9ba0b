import type { Hex } from "viem";
import type { Provider } from "../deployment";
import { PublicInputError } from "../errors";
import { boundedText, byteWords, formatWords, toLimbs } from "../words";
import { layoutRows, WordReader } from "./reader";

/** Capacity in bytes of the domain, the nonce and the audience. */
export const OIDC_DOMAIN_MAX = 64;
export const OIDC_NONCE_MAX = 64;
export const OIDC_AUDIENCE_MAX = 96;

/** Text a claim can show: printable ASCII without the quote and the backslash, which JSON escapes. */
const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]$/;

/** 311 words: the 148 common to verifiers of this kind, then nonce and iat (design page "Circuits"), then the audience. */
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

/** What an oidc_domain_attestation proof says. */
export type OidcPublicInputs = {
  /** RSA-2048 modulus of the key that signed the token; worth nothing until it is a pinned issuer's. */
  modulus: bigint;
  /** Everything after the @ of the verified email, 1 to 64 bytes, lower case. */
  domain: string;
  /** keccak256 of the application's scope string. */
  scope: Hex;
  nullifier: Hex;
  provider: Provider;
  /** The token's nonce claim, null when it has none. */
  nonce: string | null;
  /** Issue time of the token in seconds. */
  iat: number;
  /** The token's aud claim: the OAuth client it was made for; worth nothing until it is one of ours at this issuer. */
  audience: string;
};

/** Words of an OIDC proof. @throws RangeError when a value does not fit its field. */
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
 * Reads and checks the words of an OIDC proof.
 * @param input 311 words, or one hex blob of them.
 * @throws PublicInputError naming field and rule when a word is not canonical.
 */
export function decodeOidcPublicInputs(input: string | readonly string[]): OidcPublicInputs {
  const read = new WordReader(oidcLayout, input);
  const nonce = read.text("nonce", 0, OIDC_NONCE_MAX, PLAIN, "must be plain ASCII");
  return {
    modulus: read.limbs("pubkey_modulus_limbs"),
    domain: read.text(
      "domain",
      1,
      OIDC_DOMAIN_MAX,
      /^[a-z0-9.-]$/,
      'must be lower-case letters, digits, "-" and "."',
    ),
    scope: read.bytes("scope"),
    nullifier: read.bytes("nullifier"),
    provider: read.uint("provider", 0, 1) === 0 ? "provider_a" : "provider_b",
    nonce: nonce === "" ? null : nonce,
    iat: read.uint("iat", 1, Number.MAX_SAFE_INTEGER),
    audience: read.text("audience", 1, OIDC_AUDIENCE_MAX, PLAIN, "must be plain ASCII"),
  };
}

/**
 * Checks what a prover returned against what was asked for.
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
