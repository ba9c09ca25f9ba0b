import { z } from "zod";
import type { Issuer } from "../deployment";

/**
 * The browser's login at an identity provider: OpenID Connect implicit flow with the id_token in the URL
 * fragment (OpenID Connect Core 3.2), so that the token reaches the page and no server of ours.
 */

export type WebFlowRequest = {
  issuer: Pick<Issuer, "authorizationEndpoint" | "webClientId">;
  /** Page that reads the fragment; registered with the provider. */
  redirectUri: string;
  /** The challenge's nonce; it comes back as the token's `nonce` claim and binds the proof to the login. */
  nonce: string;
  /** Random, kept by the page, compared on return. */
  state: string;
  /** Address to preselect, when the person named one. */
  loginHint?: string;
};

/** Address to send the browser to. */
export function authorizationUrl({ issuer, redirectUri, nonce, state, loginHint }: WebFlowRequest): string {
  const url = new URL(issuer.authorizationEndpoint);
  const params = {
    response_type: "id_token",
    response_mode: "fragment",
    client_id: issuer.webClientId,
    redirect_uri: redirectUri,
    scope: "openid email",
    nonce,
    state,
    ...(loginHint ? { login_hint: loginHint } : {}),
  };
  for (const [key, value] of Object.entries(params)) url.searchParams.set(key, value);
  return url.href;
}

/** 32 random bytes in hex, for `state`. */
export function randomState(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

export type WebFlowCode =
  /** The fragment holds neither a token nor an error: the page was opened without a login. */
  | "NO_ANSWER"
  /** Not the answer to the login this page began. */
  | "STATE_MISMATCH"
  /** The provider refused; `reason` is its error code, e.g. access_denied. */
  | "PROVIDER_REFUSED";

export class WebFlowError extends Error {
  override readonly name = "WebFlowError";
  constructor(
    readonly code: WebFlowCode,
    message: string,
    readonly reason?: string,
  ) {
    super(message);
  }
}

const errorCodeSchema = z
  .string()
  .regex(/^[a-z_]{1,64}$/)
  .catch("unknown");

/**
 * Takes the id token out of a returned fragment. Remove the fragment from the address bar afterwards
 * (history.replaceState): it holds the token.
 * @param fragment location.hash, with or without "#".
 * @param expectedState the state this page began the login with.
 * @throws WebFlowError
 */
export function readFragment(fragment: string, expectedState: string): string {
  const params = new URLSearchParams(fragment.replace(/^#/, ""));
  const error = params.get("error");
  const token = params.get("id_token");
  if (!error && !token) throw new WebFlowError("NO_ANSWER", "the identity provider sent no token");
  // Before anything else is believed, the error included: somebody else's link must not end our login.
  if (expectedState === "" || params.get("state") !== expectedState) {
    throw new WebFlowError("STATE_MISMATCH", "this answer does not belong to the login this page began");
  }
  if (error || !token) {
    throw new WebFlowError("PROVIDER_REFUSED", "the identity provider refused", errorCodeSchema.parse(error));
  }
  return token;
}
