import { compactVerify, importJWK } from "jose";
import type { Hex } from "viem";
import type { Issuer, Provider } from "../deployment";
import { barrettParameter, sha256State } from "../derivations";
import { ProofInputError } from "../errors";
import {
  encodeOidcPublicInputs,
  OIDC_AUDIENCE_MAX,
  OIDC_DOMAIN_MAX,
  OIDC_NONCE_MAX,
  type OidcPublicInputs,
} from "../layouts/oidc";
import { audienceProblem } from "../trust/audience";
import { issuerMatches, type JwkSet, rsa2048Modulus } from "../trust/jwks";
import { isMachineDomain } from "../trust/machine-accounts";
import { toLimbs } from "../words";
import { type OidcClaims, readOidcClaims } from "./claims";
import { type ParsedToken, parseToken } from "./token";

/** Capacity in bytes of the signed data after the partial hash. */
const OIDC_PARTIAL_MAX = 640;

/** A Noir BoundedVec<u8, N> as noir_js takes it. */
type BoundedBytes = { storage: number[]; len: number };

/** Inputs of circuits/bin/oidc_domain_attestation by parameter name; u128 limbs as hex strings. */
export type OidcCircuitInputs = {
  pubkey_modulus_limbs: string[];
  domain: BoundedBytes;
  scope: number[];
  nullifier: number[];
  provider: number;
  nonce: BoundedBytes;
  iat: number;
  audience: BoundedBytes;
  partial_data: BoundedBytes;
  partial_hash: number[];
  full_data_length: number;
  base64_decode_offset: number;
  redc_params_limbs: string[];
  signature_limbs: string[];
  email_index: number;
  email_length: number;
  email_verified_index: number;
  nonce_index: number;
  iat_index: number;
  audience_index: number;
};

export type OidcInputs = {
  inputs: OidcCircuitInputs;
  facts: OidcPublicInputs;
  /** The words a proof of these inputs must have. */
  publicInputs: Hex[];
};

export type OidcInputsRequest = {
  /** RS256 id token. */
  jwt: string;
  /** Key set fetched from the pinned issuer, never one a client sent. */
  jwks: JwkSet;
  /** The pinned issuer the key set belongs to, with our clients there. */
  issuer: Pick<Issuer, "issuer" | "provider" | "webClientId" | "deviceClientId">;
  /** Scope string of the application. */
  scope: string;
  provider: Provider;
  /** Milliseconds; default the clock. */
  now?: number;
};

/**
 * Turns an id token into circuit inputs, refusing every token the circuit would not accept and every token
 * our trust rules do not, before anybody pays.
 * @throws ProofInputError with code and field; its message never contains token content.
 */
export async function buildOidcInputs(request: OidcInputsRequest): Promise<OidcInputs> {
  const token = parseToken(request.jwt);
  const claims = readOidcClaims(token, request);
  if (request.issuer.provider !== request.provider) {
    throw new ProofInputError(
      "PROVIDER_MISMATCH",
      "provider",
      "the token's issuer belongs to another provider",
    );
  }
  if (!issuerMatches(request.issuer.issuer, claims.iss)) {
    throw new ProofInputError("ISSUER_NOT_TRUSTED", "iss", "the token was not issued by the pinned issuer");
  }
  const modulus = await verifiedModulus(request, token, claims.iss);
  checkAudience(request.issuer, claims.facts);
  checkPerson(claims.facts);
  const facts: OidcPublicInputs = { ...claims.facts, modulus };
  return {
    inputs: { ...publicPart(facts), ...privatePart(token, claims, modulus) },
    facts,
    publicInputs: encodeOidcPublicInputs(facts),
  };
}

/** A token that was made for somebody else's client gives no proof that anybody would accept. */
function checkAudience(issuer: OidcInputsRequest["issuer"], facts: OidcClaims["facts"]): void {
  const problem = audienceProblem(issuer, facts);
  if (problem === null) return;
  const message =
    problem === "foreign_client"
      ? "the token was made for another client than this service's"
      : "a token of the web client must carry the nonce of a challenge";
  throw new ProofInputError("WRONG_AUDIENCE", "jwt", message);
}

/** A program's account says nothing about a person, and its owner can have as many as he likes. */
function checkPerson({ domain }: OidcClaims["facts"]): void {
  if (!isMachineDomain(domain)) return;
  throw new ProofInputError("MACHINE_ACCOUNT", "email", "the token is a service account's, not a person's");
}

/** Modulus of the key that, verifiably, signed the token. */
async function verifiedModulus(request: OidcInputsRequest, token: ParsedToken, iss: string): Promise<bigint> {
  if (token.alg !== "RS256")
    throw new ProofInputError("TOKEN_ALG", "jwt", "the token is not signed with RS256");
  const jwk = request.jwks.keys.find((key) => token.kid !== null && key.kid === token.kid);
  if (!jwk) {
    throw new ProofInputError(
      "KEY_UNKNOWN",
      "jwt",
      "the token's key is not one of its issuer's published keys",
    );
  }
  const modulus = rsa2048Modulus(jwk);
  if (modulus === null) {
    throw new ProofInputError(
      "KEY_UNSUPPORTED",
      "jwt",
      "the token's key is not RSA-2048 with exponent 65537",
    );
  }
  // A key Microsoft publishes for one tenant must not vouch for another.
  if (jwk.issuer !== undefined && !issuerMatches(jwk.issuer, iss)) {
    throw new ProofInputError("KEY_UNKNOWN", "jwt", "the token's key does not sign for the token's issuer");
  }
  const key = await importJWK({ kty: "RSA", n: jwk.n, e: jwk.e }, "RS256");
  const verified = await compactVerify(request.jwt, key, { algorithms: ["RS256"] }).catch(() => null);
  if (!verified) throw new ProofInputError("TOKEN_SIGNATURE", "jwt", "the token's signature does not verify");
  return modulus;
}

function publicPart(facts: OidcPublicInputs) {
  return {
    pubkey_modulus_limbs: hexLimbs(facts.modulus),
    domain: bounded(new TextEncoder().encode(facts.domain), OIDC_DOMAIN_MAX),
    scope: hexBytes(facts.scope),
    nullifier: hexBytes(facts.nullifier),
    provider: facts.provider === "provider_a" ? 0 : 1,
    nonce: bounded(new TextEncoder().encode(facts.nonce ?? ""), OIDC_NONCE_MAX),
    iat: facts.iat,
    audience: bounded(new TextEncoder().encode(facts.audience), OIDC_AUDIENCE_MAX),
  };
}

function privatePart(token: ParsedToken, claims: OidcClaims, modulus: bigint) {
  const cut = partialCut(token.payloadFrom, claims.earliest, token.signed.length);
  const partial = token.signed.subarray(cut.blockStart);
  if (partial.length > OIDC_PARTIAL_MAX) {
    throw new ProofInputError(
      "TOKEN_TOO_LONG",
      "jwt",
      `the token needs ${partial.length} bytes from its first needed claim on, ${OIDC_PARTIAL_MAX} fit`,
    );
  }
  const at = (keyIndex: number) => keyIndex - cut.decodedFrom;
  return {
    partial_data: bounded(partial, OIDC_PARTIAL_MAX),
    partial_hash: sha256State(token.signed.subarray(0, cut.blockStart)),
    full_data_length: token.signed.length,
    base64_decode_offset: cut.decodeOffset,
    redc_params_limbs: hexLimbs(barrettParameter(modulus)),
    signature_limbs: hexLimbs(token.signature.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)),
    email_index: at(claims.emailIndex),
    email_length: claims.emailLength,
    email_verified_index: at(claims.verifiedIndex),
    nonce_index: claims.nonceIndex === null ? 0 : at(claims.nonceIndex),
    iat_index: at(claims.iatIndex),
    audience_index: at(claims.audienceIndex),
  };
}

/**
 * Where the hashed-in-circuit part of the signed data begins: the last SHA-256 block boundary from which a
 * 4-character base64 group can be decoded that includes the byte before the earliest needed key.
 * @param payloadFrom index of the first payload character.
 * @param earliest index in the decoded payload of the earliest needed key.
 */
export function partialCut(
  payloadFrom: number,
  earliest: number,
  signedLength: number,
): { blockStart: number; decodeOffset: number; decodedFrom: number } {
  for (let blockStart = Math.floor(signedLength / 64) * 64; blockStart > payloadFrom; blockStart -= 64) {
    const decodeOffset = (4 - ((blockStart - payloadFrom) % 4)) % 4;
    const decodedFrom = ((blockStart + decodeOffset - payloadFrom) / 4) * 3;
    if (decodedFrom < earliest) return { blockStart, decodeOffset, decodedFrom };
  }
  // The claim begins in the same block as the payload or right after it: decode the payload from its start.
  const blockStart = Math.floor(payloadFrom / 64) * 64;
  return { blockStart, decodeOffset: payloadFrom - blockStart, decodedFrom: 0 };
}

function hexLimbs(value: bigint): string[] {
  return toLimbs(value).map((limb) => `0x${limb.toString(16)}`);
}

function hexBytes(hex: Hex): number[] {
  return Array.from({ length: (hex.length - 2) / 2 }, (_, i) =>
    Number.parseInt(hex.slice(2 + i * 2, 4 + i * 2), 16),
  );
}

function bounded(bytes: Uint8Array, capacity: number): BoundedBytes {
  return { storage: Array.from({ length: capacity }, (_, i) => bytes[i] ?? 0), len: bytes.length };
}
