import type { Issuer, Provider } from "@/lib/proofs/deployment";

/** Client IDs at the development identity provider, as in the deployment description. */
export const WEB_CLIENT_ID = "parley-web";
export const DEVICE_CLIENT_ID = "parley-agent";

/**
 * Describes the development identity provider for the deployment description.
 * @param base its URL, which is also the exact `iss`
 */
export function issuerDescription(base: string, provider: Provider): Issuer {
  return {
    provider,
    label: provider === "provider_a" ? "Development provider A" : "Development provider B",
    issuer: base,
    jwksUri: `${base}/jwks`,
    authorizationEndpoint: `${base}/auth`,
    deviceAuthorizationEndpoint: `${base}/device/auth`,
    tokenEndpoint: `${base}/token`,
    webClientId: WEB_CLIENT_ID,
    deviceClientId: DEVICE_CLIENT_ID,
    development: true,
  };
}
