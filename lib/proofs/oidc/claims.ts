import type { Provider } from "../deployment";
import { emailDomain, oidcNullifier, scopeWord } from "../derivations";
import { ProofInputError } from "../errors";
import { OIDC_AUDIENCE_MAX, OIDC_DOMAIN_MAX, OIDC_NONCE_MAX, type OidcPublicInputs } from "../layouts/oidc";
import {
  type ClaimSpan,
  claim,
  maxDepth,
  type ParsedToken,
  parseToken,
  plainText,
  secondsClaim,
  textClaim,
} from "./token";

/** Maximum bytes of an email address in the circuit. */
const OIDC_EMAIL_MAX = 128;
/** Allowed clock difference between the issuer and us. */
const SKEW_SECONDS = 60;

/** A token's unverified claims, with positions in its decoded payload. */
export type OidcClaims = ReturnType<typeof readOidcClaims>;

/** Public facts, except the key. */
type OidcFacts = Omit<OidcPublicInputs, "modulus">;

type OidcClaimsRequest = {
  scope: string;
  provider: Provider;
  /** Milliseconds; default the clock. "any" ignores the time, to check an existing proof. */
  now?: number | "any";
};

/** The claim that confirms the email address, and the literals that the circuit accepts. */
const verifiedRule = {
  provider_a: { key: "email_verified", yes: ["true"] },
  provider_b: { key: "xms_edov", yes: ["true", "1", '"1"', '"true"'] },
} as const;

/**
 * Returns a token's unverified issuer and key id, to look up its pinned issuer.
 * @throws ProofInputError TOKEN_MALFORMED, CLAIM_MISSING, CLAIM_INVALID.
 */
export function peekToken(jwt: string): { iss: string; kid: string | null } {
  const token = parseToken(jwt);
  return { iss: required(textClaim(token, "iss"), "iss").text, kid: token.kid };
}

/**
 * Returns the public facts of this token's proof, for a client without the key set. Does not verify the signature.
 * @throws ProofInputError as `readOidcClaims`.
 */
export function oidcFacts(jwt: string, request: OidcClaimsRequest): OidcFacts {
  return readOidcClaims(parseToken(jwt), request).facts;
}

/**
 * Reads the claims that the circuit needs and applies its rules.
 * @throws ProofInputError naming the claim and the rule, never the claim's value.
 */
export function readOidcClaims(token: ParsedToken, request: OidcClaimsRequest) {
  if (request.scope === "") throw new ProofInputError("SCOPE_INVALID", "scope", "the scope string is empty");
  const iss = required(textClaim(token, "iss"), "iss").text;
  const exp = required(secondsClaim(token, "exp"), "exp").seconds;
  const iat = required(secondsClaim(token, "iat"), "iat");
  if (request.now !== "any") checkTimes(exp, iat.seconds, Math.floor((request.now ?? Date.now()) / 1000));
  const email = required(textClaim(token, "email"), "email");
  const domain = provableDomain(email.text);
  const rule = verifiedRule[request.provider];
  const verified = claim(token, rule.key);
  if (!verified || !rule.yes.some((yes) => yes === verified.raw)) {
    throw new ProofInputError(
      "EMAIL_NOT_VERIFIED",
      rule.key,
      "the issuer has not verified the email address",
    );
  }
  const nonce = textClaim(token, "nonce");
  if (nonce && (nonce.text.length === 0 || nonce.text.length > OIDC_NONCE_MAX)) {
    throw invalid("nonce", `the nonce must have 1 to ${OIDC_NONCE_MAX} bytes`);
  }
  const audience = provableAudience(token);
  const scope = scopeWord(request.scope);
  const indices = {
    emailIndex: email.span.keyIndex,
    verifiedIndex: verified.keyIndex,
    nonceIndex: nonce?.span.keyIndex ?? null,
    iatIndex: iat.span.keyIndex,
    audienceIndex: audience.span.keyIndex,
  };
  const earliest = Math.min(...Object.values(indices).filter((index) => index !== null));
  checkSurroundings(token, earliest, nonce !== null);
  const facts: OidcFacts = {
    domain,
    scope,
    nullifier: oidcNullifier(email.text, scope),
    provider: request.provider,
    nonce: nonce?.text ?? null,
    iat: iat.seconds,
    audience: audience.text,
  };
  return { iss, facts, emailLength: email.text.length, ...indices, earliest };
}

/** Maximum nesting the circuit can count, including the outermost object. */
const MAX_DEPTH = 6;

/** Applies the circuit's rules for the rest of the payload, from the earliest claim on. */
function checkSurroundings(token: ParsedToken, earliest: number, hasNonce: boolean): void {
  if (maxDepth(token.payload.subarray(earliest)) > MAX_DEPTH - 1) {
    throw new ProofInputError("TOKEN_MALFORMED", "jwt", "the token's claims are nested too deeply");
  }
  // The circuit proves the absence of a nonce as: no such key at any depth.
  if (!hasNonce && new TextDecoder("latin1").decode(token.payload).includes('"nonce":')) {
    throw invalid("nonce", "the token has a nonce inside another claim");
  }
}

function checkTimes(exp: number, iat: number, now: number): void {
  if (exp + SKEW_SECONDS <= now) throw new ProofInputError("TOKEN_EXPIRED", "exp", "the token has expired");
  if (iat > now + SKEW_SECONDS) {
    throw new ProofInputError("TOKEN_NOT_YET_VALID", "iat", "the token's issue time is in the future");
  }
}

/** Returns the client that the token was issued to. The circuit does not support a list of clients. */
function provableAudience(token: ParsedToken): { text: string; span: ClaimSpan } {
  const span = claim(token, "aud");
  if (!span) throw new ProofInputError("CLAIM_MISSING", "jwt", "the token has no aud claim");
  const text = plainText(span.raw);
  if (!text || text.length > OIDC_AUDIENCE_MAX) {
    throw invalid("jwt", `the claim aud must be one client id of 1 to ${OIDC_AUDIENCE_MAX} plain characters`);
  }
  return { text, span };
}

function provableDomain(email: string): string {
  if (email.length > OIDC_EMAIL_MAX) {
    throw invalid("email", `the email address is longer than ${OIDC_EMAIL_MAX} bytes`);
  }
  const domain = emailDomain(email);
  if (domain === null) throw invalid("email", "the email address needs one @ with text on both sides");
  if (domain.length > OIDC_DOMAIN_MAX) {
    throw invalid("email", `the email domain is longer than ${OIDC_DOMAIN_MAX} bytes`);
  }
  if (email.includes(" ")) throw invalid("email", "the email address must not contain spaces");
  if (!/^[a-z0-9.-]+$/.test(domain)) {
    throw invalid("email", 'the email domain must be lower-case letters, digits, "-" and "."');
  }
  return domain;
}

const invalid = (field: string, message: string) => new ProofInputError("CLAIM_INVALID", field, message);

function required<T>(value: T | null, key: string): T {
  if (value === null) throw new ProofInputError("CLAIM_MISSING", key, `the token has no ${key} claim`);
  return value;
}
