import { randomBytes } from "node:crypto";
import { z } from "zod";
import { hiddenFields, Visitor } from "./browse";

/** What these helpers need of an issuer: the fields of the deployment description. */
export interface SignInIssuer {
  issuer: string;
  authorizationEndpoint: string;
  deviceAuthorizationEndpoint: string;
  tokenEndpoint: string;
  webClientId: string;
  deviceClientId: string;
}

const deviceResponse = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.url(),
  expires_in: z.number(),
  interval: z.number().optional(),
});
const tokenResponse = z.object({ id_token: z.string() });
const tokenError = z.object({ error: z.string() });

/**
 * Plays the person of a device flow: opens the verification page, confirms the code and signs in as
 * `email`, by plain HTTP. Development identity provider only.
 * @throws Error naming the step that was refused.
 */
async function approveDeviceCode(verificationUri: string, userCode: string, email: string): Promise<void> {
  const visitor = new Visitor(new URL(verificationUri).origin);
  const start = await visitor.get(verificationUri);
  const { xsrf } = hiddenFields(start.body);
  if (!xsrf) throw new Error(`device page at ${verificationUri} has no form`);
  const login = await visitor.post(verificationUri, { xsrf, user_code: userCode, confirm: "yes" });
  if (!login.url.includes("/interaction/")) throw new Error(`user code refused (status ${login.status})`);
  const done = await visitor.post(login.url, { email });
  if (done.status !== 200 || done.url.includes("/interaction/")) {
    throw new Error(`sign-in as ${email} refused (status ${done.status})`);
  }
}

/** Starts a device flow, approves it as `email` and returns the id token (it carries no nonce). */
export async function deviceIdToken(issuer: SignInIssuer, email: string): Promise<string> {
  const started = await fetch(issuer.deviceAuthorizationEndpoint, {
    method: "POST",
    body: new URLSearchParams({ client_id: issuer.deviceClientId, scope: "openid email" }),
  });
  if (!started.ok) throw new Error(`device authorization failed with ${started.status}`);
  const device = deviceResponse.parse(await started.json());
  await approveDeviceCode(device.verification_uri, device.user_code, email);
  const answered = await fetch(issuer.tokenEndpoint, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      client_id: issuer.deviceClientId,
      device_code: device.device_code,
    }),
  });
  const body: unknown = await answered.json();
  if (!answered.ok) throw new Error(`token refused: ${tokenError.parse(body).error}`);
  return tokenResponse.parse(body).id_token;
}

/** What the browser flow does, by plain HTTP: an id token that carries `nonce`. */
export async function implicitIdToken(
  issuer: SignInIssuer,
  request: { email: string; nonce: string; redirectUri: string },
): Promise<string> {
  const url = new URL(issuer.authorizationEndpoint);
  const state = randomBytes(8).toString("hex");
  url.search = new URLSearchParams({
    client_id: issuer.webClientId,
    response_type: "id_token",
    response_mode: "fragment",
    scope: "openid email",
    nonce: request.nonce,
    redirect_uri: request.redirectUri,
    state,
  }).toString();
  const visitor = new Visitor(url.origin);
  const login = await visitor.get(url.href);
  if (!login.url.includes("/interaction/"))
    throw new Error(`authorization refused (${login.leftFor ?? login.status})`);
  const done = await visitor.post(login.url, { email: request.email });
  const fragment = new URLSearchParams(done.leftFor ? new URL(done.leftFor).hash.slice(1) : "");
  const token = fragment.get("id_token");
  if (!token || fragment.get("state") !== state) {
    throw new Error(`no id token came back: ${fragment.get("error_description") ?? `status ${done.status}`}`);
  }
  return token;
}
