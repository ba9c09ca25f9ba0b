import type { Deployment, Issuer, Provider } from "../deployment";
import { ProofInputError, TrustConfigError } from "../errors";
import { peekToken } from "../oidc/claims";
import { buildOidcInputs, type OidcInputs } from "../oidc/inputs";
import { issuerMatches, type JwkSet, rsa2048Modulus } from "./jwks";
import { type KeySetOptions, PinnedKeySet } from "./key-sets";

export type { KeySetOptions, KeyStore, SeenKey } from "./key-sets";
export { audienceProblem, type IssuerClients, isMachineDomain } from "./token-rules";

/** The trusted issuers of identity tokens. Create it once per process from the deployment. */
export type Trust = ReturnType<typeof createTrust>;

/**
 * Trusts exactly the deployment's issuers.
 * @throws TrustConfigError in production mode for a development issuer or a URL that is not https, and always for an
 * issuer pattern that could match other issuers.
 */
export function createTrust(deployment: Pick<Deployment, "mode" | "issuers">, options: KeySetOptions = {}) {
  // By URL: issuers with the same URL share its keys and fetches.
  const sets = new Map<string, PinnedKeySet>();
  for (const issuer of deployment.issuers) {
    checkIssuer(issuer, deployment.mode);
    if (!sets.has(issuer.jwksUri)) sets.set(issuer.jwksUri, new PinnedKeySet(issuer.jwksUri, options));
  }

  const setOf = (issuer: Issuer): PinnedKeySet => {
    const set = sets.get(issuer.jwksUri);
    if (!set) throw new TrustConfigError("the issuer is not pinned in this deployment");
    return set;
  };
  /** Returns the pinned issuer of an `iss` for this provider, or null. */
  const issuerOf = (iss: string, provider: Provider): Issuer | null =>
    deployment.issuers.find((issuer) => issuer.provider === provider && issuerMatches(issuer.issuer, iss)) ??
    null;
  /**
   * Returns a pinned issuer's key set, fetched only from its pinned URL.
   * @param kid refetches, at most once a minute, if this key is unknown.
   * @throws TrustUnavailableError if no key is known and none can be fetched.
   */
  const keysFor = async (issuer: Issuer, kid?: string | null): Promise<JwkSet> => ({
    keys: await setOf(issuer).keys((jwk) => !kid || jwk.kid === kid),
  });

  return {
    issuerOf,
    keysFor,
    /**
     * Returns this provider's pinned issuers that have a key with this modulus, including keys rotated in the last 24
     * hours. A proof without one proves nothing, and its audience must be a client of one of them (`audienceProblem`).
     * @throws TrustUnavailableError if no issuer has the key and one of them is unreachable.
     */
    async signersOf(provider: Provider, modulus: bigint): Promise<readonly Issuer[]> {
      const signers: Issuer[] = [];
      let unavailable: unknown = null;
      for (const issuer of deployment.issuers.filter((candidate) => candidate.provider === provider)) {
        try {
          const keys = await setOf(issuer).keys((jwk) => rsa2048Modulus(jwk) === modulus);
          if (keys.some((jwk) => rsa2048Modulus(jwk) === modulus)) signers.push(issuer);
        } catch (error) {
          unavailable = error;
        }
      }
      if (signers.length === 0 && unavailable) throw unavailable;
      return signers;
    },
    /**
     * Builds circuit inputs from a token, with its pinned issuer's key set.
     * @throws ProofInputError, TrustUnavailableError
     */
    async oidcInputs(request: { jwt: string; scope: string; provider: Provider }): Promise<OidcInputs> {
      const { jwt, scope, provider } = request;
      const { iss, kid } = peekToken(jwt);
      const issuer = issuerOf(iss, provider);
      if (!issuer) {
        const isOfOtherProvider = deployment.issuers.some(({ issuer }) => issuerMatches(issuer, iss));
        throw isOfOtherProvider
          ? new ProofInputError("PROVIDER_MISMATCH", "provider", "the token's issuer is of another provider")
          : new ProofInputError(
              "ISSUER_NOT_TRUSTED",
              "iss",
              "this service does not trust the token's issuer",
            );
      }
      const jwks = await keysFor(issuer, kid);
      return buildOidcInputs({ jwt, jwks, issuer, scope, provider, now: options.now?.() });
    },
  };
}

function checkIssuer(issuer: Issuer, mode: Deployment["mode"]): void {
  const host = issuer.issuer.split("/")[2] ?? "";
  if (host.includes("{") || issuer.issuer.split("{").length > 2) {
    throw new TrustConfigError(`issuer ${issuer.issuer}: {tenantid} may occur once, in the path`);
  }
  if (mode !== "production") return;
  if (issuer.development) throw new TrustConfigError(`issuer ${issuer.issuer} is for development only`);
  if (!issuer.jwksUri.startsWith("https://") || !issuer.issuer.startsWith("https://")) {
    throw new TrustConfigError(`issuer ${issuer.issuer}: production requires https for issuer and key set`);
  }
}
