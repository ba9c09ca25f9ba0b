import type { Issuer, Provider } from "@/lib/proofs/deployment";
import { testIssuer } from "@/lib/proofs/testing/tokens";
import { startLocalServer } from "./local-server";

/** A local identity provider: publishes its keys and signs whatever claims it is told to. */
export interface TestIdp {
  url: string;
  description: Issuer;
  jwks: { keys: Record<string, unknown>[] };
  /** An id token; `claims` are added to, or replace, honest ones. */
  token(email: string, claims?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export async function startTestIdp(provider: Provider = "provider_a"): Promise<TestIdp> {
  const issuer = await testIssuer(`key-${provider}`);
  const jwks = { keys: [issuer.jwk] };
  const { url, close } = await startLocalServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(jwks));
  });
  const verified = provider === "provider_a" ? { email_verified: true } : { xms_edov: true };
  return {
    url,
    jwks,
    description: {
      provider,
      label: "Test",
      issuer: url,
      jwksUri: `${url}/jwks`,
      authorizationEndpoint: `${url}/auth`,
      deviceAuthorizationEndpoint: `${url}/device`,
      tokenEndpoint: `${url}/token`,
      webClientId: "web",
      deviceClientId: "device",
      development: true,
    },
    async token(email, claims = {}) {
      const now = Math.floor(Date.now() / 1000);
      return await issuer.sign({
        iss: url,
        aud: "web",
        sub: "user-1",
        email,
        ...verified,
        nonce: "challenge-1",
        iat: now - 1,
        exp: now + 3600,
        ...claims,
      });
    },
    close,
  };
}
