import { compactVerify, importJWK } from "jose";
import { bytesToBigInt, numberToHex, stringToBytes } from "viem";
import type { Issuer, Provider } from "../deployment";
import { barrettParameter, sha256State } from "../derivations";
import { type ProofInputCode, ProofInputError } from "../errors";
import {
  encodeOidcPublicInputs,
  OIDC_AUDIENCE_MAX,
  OIDC_DOMAIN_MAX,
  OIDC_NONCE_MAX,
  type OidcPublicInputs,
} from "../layouts/oidc";
import { issuerMatches, type JwkSet, rsa2048Modulus } from "../trust/jwks";
import { audienceProblem, isMachineDomain } from "../trust/token-rules";
import { bounded, bytesOf, toLimbs } from "../words";
import { type OidcClaims, readOidcClaims } from "./claims";
import { type ParsedToken, parseToken } from "./token";

/** Maximum bytes of the signed data after the partial hash. */
const OIDC_PARTIAL_MAX = 640;

/** Inputs of circuits/bin/oidc_domain_attestation by parameter name; u128 limbs as hex strings. */
export type OidcCircuitInputs = ReturnType<typeof publicPart> & ReturnType<typeof privatePart>;

export type OidcInputs = Awaited<ReturnType<typeof buildOidcInputs>>;

export type OidcInputsRequest = {
  /** RS256 id token. */
  jwt: string;
  /** Key set fetched from the pinned issuer, never from a client. */
  jwks: JwkSet;
  /** The pinned issuer of the key set, with our clients there. */
  issuer: Pick<Issuer, "issuer" | "provider" | "webClientId" | "deviceClientId">;
  /** Scope string of the application. */
  scope: string;
  provider: Provider;
  /** Milliseconds; default the clock. */
  now?: number;
};

/**
 * Builds circuit inputs from an id token. Rejects, before payment, every token that the circuit or our trust rules do not
 * accept.
 * @throws ProofInputError with code and field; its message never contains token content.
 */
export async function buildOidcInputs(request: OidcInputsRequest) {
  const token = parseToken(request.jwt);
  const claims = readOidcClaims(token, request);
  if (request.issuer.provider !== request.provider) {
    throw new ProofInputError("PROVIDER_MISMATCH", "provider", "the token's issuer is of another provider");
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
    /** The public inputs a proof of these inputs must have. */
    publicInputs: encodeOidcPublicInputs(facts),
  };
}

/** Rejects a token issued to another client: no verifier would accept its proof. */
function checkAudience(issuer: OidcInputsRequest["issuer"], facts: OidcClaims["facts"]): void {
  const problem = audienceProblem(issuer, facts);
  if (problem === null) return;
  const message =
    problem === "foreign_client"
      ? "the token was issued to another client than this service's"
      : "a token of the web client must carry the nonce of a challenge";
  throw new ProofInputError("WRONG_AUDIENCE", "jwt", message);
}

/** Rejects service accounts: they are not people, and their owner can create any number of them. */
function checkPerson({ domain }: OidcClaims["facts"]): void {
  if (!isMachineDomain(domain)) return;
  throw new ProofInputError("MACHINE_ACCOUNT", "email", "the token is a service account's, not a person's");
}

/** Verifies the token's signature and returns the modulus of its key. */
async function verifiedModulus(request: OidcInputsRequest, token: ParsedToken, iss: string): Promise<bigint> {
  const refuse = (code: ProofInputCode, message: string) => new ProofInputError(code, "jwt", message);
  if (token.alg !== "RS256") throw refuse("TOKEN_ALG", "the token is not signed with RS256");
  const jwk = request.jwks.keys.find((key) => token.kid !== null && key.kid === token.kid);
  if (!jwk) throw refuse("KEY_UNKNOWN", "the token's key is not one of its issuer's published keys");
  const modulus = rsa2048Modulus(jwk);
  if (modulus === null)
    throw refuse("KEY_UNSUPPORTED", "the token's key is not RSA-2048 with exponent 65537");
  // A key Microsoft publishes for one tenant must not vouch for another.
  if (jwk.issuer !== undefined && !issuerMatches(jwk.issuer, iss)) {
    throw refuse("KEY_UNKNOWN", "the token's key does not sign for the token's issuer");
  }
  const key = await importJWK({ kty: "RSA", n: jwk.n, e: jwk.e }, "RS256");
  const verified = await compactVerify(request.jwt, key, { algorithms: ["RS256"] }).catch(() => null);
  if (!verified) throw refuse("TOKEN_SIGNATURE", "the token's signature does not verify");
  return modulus;
}

function publicPart(facts: OidcPublicInputs) {
  return {
    pubkey_modulus_limbs: hexLimbs(facts.modulus),
    domain: boundedBytes(facts.domain, OIDC_DOMAIN_MAX),
    scope: bytesOf(facts.scope),
    nullifier: bytesOf(facts.nullifier),
    provider: facts.provider === "provider_a" ? 0 : 1,
    nonce: boundedBytes(facts.nonce ?? "", OIDC_NONCE_MAX),
    iat: facts.iat,
    audience: boundedBytes(facts.audience, OIDC_AUDIENCE_MAX),
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
    partial_data: bounded(partial, OIDC_PARTIAL_MAX, 0),
    partial_hash: sha256State(token.signed.subarray(0, cut.blockStart)),
    full_data_length: token.signed.length,
    base64_decode_offset: cut.decodeOffset,
    redc_params_limbs: hexLimbs(barrettParameter(modulus)),
    signature_limbs: hexLimbs(bytesToBigInt(token.signature)),
    email_index: at(claims.emailIndex),
    email_length: claims.emailLength,
    email_verified_index: at(claims.verifiedIndex),
    nonce_index: claims.nonceIndex === null ? 0 : at(claims.nonceIndex),
    iat_index: at(claims.iatIndex),
    audience_index: at(claims.audienceIndex),
  };
}

/**
 * Returns where the part of the signed data that the circuit hashes begins: the last SHA-256 block boundary from which a
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
  // The claim begins in the payload's first block or right after it: decode the whole payload.
  const blockStart = Math.floor(payloadFrom / 64) * 64;
  return { blockStart, decodeOffset: payloadFrom - blockStart, decodedFrom: 0 };
}

function hexLimbs(value: bigint): string[] {
  return toLimbs(value).map((limb) => numberToHex(limb));
}

function boundedBytes(text: string, capacity: number) {
  return bounded(stringToBytes(text), capacity, 0);
}
