import { randomBytes } from "node:crypto";
import { Parser } from "htmlparser2";
import { z } from "zod";
import type { Issuer } from "@/lib/proofs/deployment";

/** The fields of an issuer in the deployment description that these helpers need. */
type SignInIssuer = Pick<
  Issuer,
  "authorizationEndpoint" | "deviceAuthorizationEndpoint" | "tokenEndpoint" | "webClientId" | "deviceClientId"
>;

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
 * Plays the user of a device flow over plain HTTP: opens the verification page, confirms the code and signs in as
 * `email`. Works with the development identity provider only.
 * @throws Error naming the step that was refused
 */
export async function approveDeviceCode(
  verificationUri: string,
  userCode: string,
  email: string,
): Promise<void> {
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

/** Starts a device flow, approves it as `email` and returns the ID token, which has no nonce. */
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

/** Runs the browser flow over plain HTTP and returns an ID token with `nonce`. */
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
    throw new Error(`no ID token came back: ${fragment.get("error_description") ?? `status ${done.status}`}`);
  }
  return token;
}

/** A response after all redirects within the origin. */
export interface Page {
  url: string;
  status: number;
  /** Set instead of a body when a redirect left the origin. */
  leftFor: string | null;
  body: string;
}

const MAX_REDIRECTS = 10;

/** A minimal browser for signing in over plain HTTP: keeps cookies and follows redirects. */
export class Visitor {
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;

  /** @param origin limits all requests: a redirect elsewhere is returned, not followed */
  constructor(origin: string) {
    this.#origin = origin;
  }

  get(url: string): Promise<Page> {
    return this.#request(url, { method: "GET" });
  }

  post(url: string, fields: Record<string, string>): Promise<Page> {
    return this.#request(url, { method: "POST", body: new URLSearchParams(fields) });
  }

  async #request(start: string, first: { method: string; body?: URLSearchParams }): Promise<Page> {
    let url = new URL(start, this.#origin);
    let init: RequestInit = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      if (url.origin !== this.#origin) return { url: url.href, status: 0, leftFor: url.href, body: "" };
      const cookie = [...this.#cookies].map(([k, v]) => `${k}=${v}`).join("; ");
      const response = await fetch(url, { ...init, redirect: "manual", headers: cookie ? { cookie } : {} });
      for (const line of response.headers.getSetCookie()) this.#keep(line);
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || !location) {
        return { url: url.href, status: response.status, leftFor: null, body: await response.text() };
      }
      await response.body?.cancel();
      url = new URL(location, url);
      init = { method: "GET" };
    }
    throw new Error(`too many redirects from ${start}`);
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";");
    const name = pair.slice(0, pair.indexOf("=")).trim();
    const expires = attributes.find((a) => a.trim().toLowerCase().startsWith("expires="));
    const gone = expires !== undefined && Date.parse(expires.slice(expires.indexOf("=") + 1)) < Date.now();
    if (gone) this.#cookies.delete(name);
    else this.#cookies.set(name, pair.slice(pair.indexOf("=") + 1).trim());
  }
}

/** Returns name and value of every `<input type="hidden">` on a page. */
export function hiddenFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  const parser = new Parser({
    onopentag(tag, { type, name, value = "" }) {
      if (tag === "input" && type === "hidden" && name) fields[name] = value;
    },
  });
  parser.end(html);
  return fields;
}
