import type { Deployment, Issuer, Provider } from "../deployment";
import { ProofInputError, TrustConfigError } from "../errors";
import { peekToken } from "../oidc/claims";
import { buildOidcInputs, type OidcInputs } from "../oidc/inputs";
import { issuerMatches, type JwkSet, rsa2048Modulus } from "./jwks";
import { type KeySetOptions, PinnedKeySet } from "./key-sets";

export { audienceProblem, type IssuerClients } from "./audience";
export type { KeySetOptions, KeyStore, SeenKey } from "./key-sets";
export { isMachineDomain } from "./machine-accounts";

/** Who signs identity tokens we believe. Built once per process from the deployment. */
export interface Trust {
  /** The pinned issuer behind an `iss` for this provider, or null. */
  issuerOf(iss: string, provider: Provider): Issuer | null;
  /**
   * Key set of a pinned issuer, fetched from its pinned address only.
   * @param kid looks for this key and refetches (at most once a minute) when it is unknown.
   * @throws TrustUnavailableError when no key is known and none can be fetched.
   */
  keysFor(issuer: Issuer, kid?: string | null): Promise<JwkSet>;
  /**
   * The pinned issuers of this provider whose key the modulus in a proof is, rotated keys included for 24 hours
   * after they were last published. None: the proof says nothing. Its audience must be a client of one of these
   * (`audienceProblem`).
   * @throws TrustUnavailableError when no issuer knows it and one of them could not be asked.
   */
  signersOf(provider: Provider, modulus: bigint): Promise<readonly Issuer[]>;
  /**
   * Circuit inputs from a token, with the key set of its pinned issuer.
   * @throws ProofInputError, TrustUnavailableError
   */
  oidcInputs(request: { jwt: string; scope: string; provider: Provider }): Promise<OidcInputs>;
}

/**
 * Trust in exactly the deployment's issuers.
 * @throws TrustConfigError in production mode for a development issuer or a key set address that is not
 * https, and always for an issuer string that could match foreign issuers.
 */
export function createTrust(
  deployment: Pick<Deployment, "mode" | "issuers">,
  options: KeySetOptions = {},
): Trust {
  // By address: issuers that publish at one address share its keys and its fetches.
  const sets = new Map<string, PinnedKeySet>();
  for (const issuer of deployment.issuers) {
    checkIssuer(issuer, deployment.mode);
    if (!sets.has(issuer.jwksUri)) sets.set(issuer.jwksUri, new PinnedKeySet(issuer.jwksUri, options));
  }

  const setOf = (issuer: Issuer): PinnedKeySet => {
    const set = sets.get(issuer.jwksUri);
    if (!set) throw new TrustConfigError("that issuer is not pinned in this deployment");
    return set;
  };
  const issuerOf = (iss: string, provider: Provider): Issuer | null =>
    deployment.issuers.find((issuer) => issuer.provider === provider && issuerMatches(issuer.issuer, iss)) ??
    null;
  const keysFor = async (issuer: Issuer, kid?: string | null): Promise<JwkSet> => ({
    keys: await setOf(issuer).keys((jwk) => !kid || jwk.kid === kid),
  });

  return {
    issuerOf,
    keysFor,
    async signersOf(provider, modulus) {
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
    async oidcInputs({ jwt, scope, provider }) {
      const { iss, kid } = peekToken(jwt);
      const issuer = issuerOf(iss, provider);
      if (!issuer) {
        const elsewhere = deployment.issuers.some((candidate) => issuerMatches(candidate.issuer, iss));
        throw elsewhere
          ? new ProofInputError(
              "PROVIDER_MISMATCH",
              "provider",
              "the token's issuer belongs to another provider",
            )
          : new ProofInputError(
              "ISSUER_NOT_TRUSTED",
              "iss",
              "the token's issuer is not one this service trusts",
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
    throw new TrustConfigError(`issuer ${issuer.issuer}: {tenantid} may stand once, in the path`);
  }
  if (mode !== "production") return;
  if (issuer.development) throw new TrustConfigError(`issuer ${issuer.issuer} is for development only`);
  if (!issuer.jwksUri.startsWith("https://") || !issuer.issuer.startsWith("https://")) {
    throw new TrustConfigError(`issuer ${issuer.issuer}: production needs https for issuer and key set`);
  }
}
