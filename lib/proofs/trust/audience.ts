import type { Issuer } from "../deployment";
import type { OidcPublicInputs } from "../layouts/oidc";

/** Our OAuth clients at an issuer. */
export type IssuerClients = Pick<Issuer, "webClientId" | "deviceClientId">;

/** `foreign_client`: made for a client that is not ours here · `nonce_missing`: the web client's, without nonce. */
export type AudienceProblem = "foreign_client" | "nonce_missing";

/**
 * What speaks against a token of this issuer by the client it was made for, or null. Whoever runs another client
 * holds tokens of the people who signed in there, and chooses their nonces: such tokens say nothing to us. Our web
 * client always sends a challenge's nonce; only the device flow has no place for one.
 */
export function audienceProblem(
  { webClientId, deviceClientId }: IssuerClients,
  { audience, nonce }: Pick<OidcPublicInputs, "audience" | "nonce">,
): AudienceProblem | null {
  if (audience === deviceClientId) return null;
  if (audience !== webClientId) return "foreign_client";
  return nonce === null ? "nonce_missing" : null;
}
