import type { Issuer, Provider } from "@/lib/proofs/deployment";
import { testIssuer } from "@/lib/proofs/testing/tokens";
import { startLocalServer } from "./local-server";

/** A local identity provider: publishes its keys and signs whatever claims it is told to. */
export interface TestIdp {
  url: string;
  description: Issuer;
  jwks: { keys: Record<string, unknown>[] };
  /** Every token it signed, the latest last. */
  tokens: readonly string[];
  /** An id token; `claims` are added to, or replace, honest ones. */
  token(email: string, claims?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** @param visitor whom its sign-in page signs in, without a question; without one there is no such page */
export async function startTestIdp(provider: Provider = "provider_a", visitor?: string): Promise<TestIdp> {
  const issuer = await testIssuer(`key-${provider}`);
  const jwks = { keys: [issuer.jwk] };
  const tokens: string[] = [];
  const { url, close } = await startLocalServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (visitor !== undefined && pathname === "/auth") {
      const claims = { aud: searchParams.get("client_id"), nonce: searchParams.get("nonce") };
      const id_token = await token(visitor, claims);
      const answer = new URLSearchParams({ id_token, state: searchParams.get("state") ?? "" });
      return response.writeHead(302, { location: `${searchParams.get("redirect_uri")}#${answer}` }).end();
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(pathname === "/signed" ? tokens : jwks));
  });
  const verified = provider === "provider_a" ? { email_verified: true } : { xms_edov: true };
  const token: TestIdp["token"] = async (email, claims = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const signed = await issuer.sign({
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
    tokens.push(signed);
    return signed;
  };
  return {
    url,
    jwks,
    tokens,
    token,
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
    close,
  };
}
