import type { Issuer } from "../deployment";

type PinnedIssuer = Omit<Issuer, "webClientId" | "deviceClientId" | "deviceClientSecret">;

/**
 * Identity providers for the deployment description of a production installation; the operator adds client ids.
 * Sources: https://accounts.google.com/.well-known/openid-configuration and
 * https://login.microsoftonline.com/organizations/v2.0/.well-known/openid-configuration
 */
export const googleIssuer: PinnedIssuer = {
  provider: "provider_a",
  label: "Google",
  issuer: "https://accounts.google.com",
  jwksUri: "https://www.googleapis.com/oauth2/v3/certs",
  authorizationEndpoint: "https://accounts.google.com/o/oauth2/v2/auth",
  deviceAuthorizationEndpoint: "https://oauth2.googleapis.com/device/code",
  tokenEndpoint: "https://oauth2.googleapis.com/token",
  development: false,
};

/**
 * Work and school accounts of every tenant. Tokens count only with xms_edov: otherwise a tenant's administrator can set
 * any address in the email claim.
 */
export const microsoftIssuer: PinnedIssuer = {
  provider: "provider_b",
  label: "Microsoft",
  issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
  jwksUri: "https://login.microsoftonline.com/organizations/discovery/v2.0/keys",
  authorizationEndpoint: "https://login.microsoftonline.com/organizations/oauth2/v2.0/authorize",
  deviceAuthorizationEndpoint: "https://login.microsoftonline.com/organizations/oauth2/v2.0/devicecode",
  tokenEndpoint: "https://login.microsoftonline.com/organizations/oauth2/v2.0/token",
  development: false,
};
