import type { Issuer, Provider } from "@/lib/proofs/deployment";
import { DEVICE_CLIENT_ID, WEB_CLIENT_ID } from "./clients";

/**
 * How the development identity provider appears in the deployment description.
 * @param base its URL, which is also the exact `iss`
 */
export function issuerDescription(base: string, provider: Provider): Issuer {
  return {
    provider,
    label: "Development identity provider",
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
