import { expect, it } from "vitest";
import { authorizationUrl } from "./challenge";

it("the way to the provider asks for an id_token in the fragment, bound to challenge and tab", () => {
  const issuer = {
    label: "P",
    provider: "provider_a",
    issuer: "https://id.example",
    authorizationEndpoint: "https://id.example/auth?x=1",
    webClientId: "web",
    development: false,
  } as const;
  const { searchParams } = new URL(
    authorizationUrl(issuer, { nonce: "n", state: "state-1" }, "https://here.example"),
  );
  expect(Object.fromEntries(searchParams)).toEqual({
    x: "1",
    client_id: "web",
    response_type: "id_token",
    response_mode: "fragment",
    scope: "openid email",
    redirect_uri: "https://here.example/auth/callback",
    nonce: "n",
    state: "state-1",
    prompt: "select_account",
  });
});
