/**
 * Mail domains of accounts that are programs. Whoever owns a cloud project makes as many of these as he likes, and has
 * the provider sign identity tokens for them, for any audience, without a browser, a nonce or anybody's consent:
 * - Google: service accounts (`name@project.iam.gserviceaccount.com`, `...@developer.gserviceaccount.com`,
 *   `...@appspot.gserviceaccount.com` and those of its services). IAM's generateIdToken and the metadata server give
 *   tokens of the same issuer and keys as people's, with `email_verified` true.
 * - Microsoft: none known. Service principals and managed identities get access tokens, which carry no address.
 */
const MACHINE_DOMAINS = ["gserviceaccount.com"];

/** True when addresses of this domain belong to programs. @param domain lower case */
export function isMachineDomain(domain: string): boolean {
  return MACHINE_DOMAINS.some((machine) => domain === machine || domain.endsWith(`.${machine}`));
}
