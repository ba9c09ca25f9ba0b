import type { Issuer } from "../deployment";
import type { OidcPublicInputs } from "../layouts/oidc";

/**
 * Email domains of service accounts. The owner of a cloud project can create any number of them and have the provider
 * sign their identity tokens for any audience, without a browser, a nonce or anyone's consent:
 * - Google: service accounts (`name@project.iam.gserviceaccount.com`, `...@developer.gserviceaccount.com`,
 *   `...@appspot.gserviceaccount.com` and those of its services). IAM's generateIdToken and the metadata server issue
 *   tokens with the same issuer and keys as people's, with `email_verified` true.
 * - Microsoft: none known. Service principals and managed identities get access tokens, which have no email address.
 */
const MACHINE_DOMAINS = ["gserviceaccount.com"];

/** Returns whether addresses of this domain belong to service accounts. @param domain lower case */
export function isMachineDomain(domain: string): boolean {
  return MACHINE_DOMAINS.some((machine) => domain === machine || domain.endsWith(`.${machine}`));
}

/** Our OAuth clients at an issuer. */
export type IssuerClients = Pick<Issuer, "webClientId" | "deviceClientId">;

/** `foreign_client`: issued to a client that is not ours · `nonce_missing`: issued to our web client without a nonce. */
type AudienceProblem = "foreign_client" | "nonce_missing";

/**
 * Checks the client that a token was issued to; null if it is fine. The operator of another client has tokens of everyone
 * who signed in there and chooses their nonces, so such tokens prove nothing to us. Our web client always sends a
 * challenge's nonce; only the device flow cannot.
 */
export function audienceProblem(
  { webClientId, deviceClientId }: IssuerClients,
  { audience, nonce }: Pick<OidcPublicInputs, "audience" | "nonce">,
): AudienceProblem | null {
  if (audience === deviceClientId) return null;
  if (audience !== webClientId) return "foreign_client";
  return nonce === null ? "nonce_missing" : null;
}
