import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from "jose";

/** Thrown for a token that is not good here. `message` says why, for the log. */
export class NotSignedIn extends Error {
  override readonly name = "NotSignedIn";
}

export interface VerifierOptions {
  /** Address of the Parley installation, as in its discovery document. */
  readonly issuer: string;
  /** Id of the app that tokens must be for. */
  readonly clientId: string;
  /** Replaces fetching the installation's keys. */
  readonly fetch?: (url: string, options: RequestInit) => Promise<Response>;
}

/** What a person must have proven, and allowed the app to learn. */
export interface Requirements {
  /** One of these domains. */
  readonly domain?: string | readonly string[];
  /** Lives in one of these countries, by ISO 3166-1 alpha-2 code. */
  readonly countries?: readonly string[];
  /** An attester has verified them as a person. */
  readonly human?: boolean;
  /** The value that this sign-in was begun with. */
  readonly nonce?: string;
}

/** What a token says about a person. */
export interface PersonClaims extends JWTPayload {
  /** The id by which this app, and no other, knows them. */
  readonly sub: string;
  readonly domain?: string;
  readonly country_in?: readonly string[];
  readonly human?: boolean;
}

/** Seconds after it was signed in which a token is taken, and by which clocks may differ. */
const MAX_AGE = 600;
const TOLERANCE = 30;

/**
 * Makes a function that checks identity tokens of one installation for one app. It fetches the installation's keys when it
 * first needs them, and again when they change.
 */
export function createVerifier({ issuer, clientId, fetch }: VerifierOptions) {
  const keys = createRemoteJWKSet(new URL("/oidc/jwks", issuer), fetch && { [customFetch]: fetch });

  /**
   * @param presented the token, or an Authorization header with it as a bearer
   * @throws NotSignedIn
   */
  return async (presented: string | null | undefined, required: Requirements = {}): Promise<PersonClaims> => {
    const token = (presented ?? "").replace(/^Bearer +/i, "");
    const { payload } = await jwtVerify<PersonClaims>(token, keys, {
      ...{ issuer, audience: clientId, algorithms: ["RS256"] },
      ...{ requiredClaims: ["sub", "exp", "iat"], maxTokenAge: MAX_AGE, clockTolerance: TOLERANCE },
    }).catch((cause: unknown) => {
      throw new NotSignedIn("the token is not valid here", { cause });
    });
    const problem = problemOf(payload, required);
    if (problem) throw new NotSignedIn(problem);
    return payload;
  };
}

function problemOf(claims: PersonClaims, { domain, countries, human, nonce }: Requirements): string | null {
  if (nonce !== undefined && claims.nonce !== nonce) return "the token is of another sign-in";
  if (domain !== undefined && ![domain].flat().includes(claims.domain ?? ""))
    return "another domain, or none";
  // Every country that the claim leaves possible must be permitted.
  const possible = claims.country_in ?? [];
  if (countries && (possible.length === 0 || !possible.every((code) => countries.includes(code)))) {
    return "another country, or none";
  }
  return human && claims.human !== true ? "not verified as a person" : null;
}
