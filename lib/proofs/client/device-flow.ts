import { z } from "zod";
import type { Issuer } from "../deployment";
import { pause } from "./follow";

/**
 * Login of an agent or a terminal: OAuth 2.0 device authorization grant (RFC 8628). A person opens a URL on any device
 * and enters a code; the agent receives the id token. It has no nonce.
 */

type DeviceIssuer = Pick<
  Issuer,
  "deviceAuthorizationEndpoint" | "tokenEndpoint" | "deviceClientId" | "deviceClientSecret"
>;

export type DeviceLogin = {
  /** URL where the person enters `userCode`. */
  verificationUri: string;
  /** The same URL with the code filled in, if the provider supports it. */
  verificationUriComplete: string | null;
  userCode: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Secret of this login; do not show it. */
  deviceCode: string;
  /** Seconds between two polls. */
  interval: number;
};

type DeviceFlowCode = "PROVIDER_UNREACHABLE" | "PROVIDER_REFUSED" | "DENIED" | "EXPIRED" | "NO_TOKEN";

/** `reason` is the provider's error code, never its text. */
export class DeviceFlowError extends Error {
  override readonly name = "DeviceFlowError";
  constructor(
    readonly code: DeviceFlowCode,
    message: string,
    readonly reason?: string,
  ) {
    super(message);
  }
}

/** RFC 8628, 3.2; Google calls the URL verification_url. */
const startSchema = z
  .object({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.url().optional(),
    verification_url: z.url().optional(),
    verification_uri_complete: z.url().optional(),
    expires_in: z.number().positive(),
    interval: z.number().positive().default(5),
  })
  .transform((answer, context) => {
    const verificationUri = answer.verification_uri ?? answer.verification_url;
    if (verificationUri) return { ...answer, verificationUri };
    context.issues.push({ code: "custom", message: "no verification address", input: answer });
    return z.NEVER;
  });
const tokenSchema = z.object({ id_token: z.string() });
const errorSchema = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) });

type DeviceFlowOptions = {
  fetch?: typeof fetch;
  signal?: AbortSignal;
  /** Milliseconds; default the clock. */
  now?: () => number;
  /** Replaces the timer in tests. */
  sleep?: (ms: number) => Promise<void>;
};

/**
 * Starts a login.
 * @throws DeviceFlowError PROVIDER_UNREACHABLE, PROVIDER_REFUSED.
 */
export async function startDeviceLogin(
  issuer: DeviceIssuer,
  options: DeviceFlowOptions = {},
): Promise<DeviceLogin> {
  const { body } = await postForm(
    issuer.deviceAuthorizationEndpoint,
    { client_id: issuer.deviceClientId, scope: "openid email" },
    options,
  );
  const answer = startSchema.safeParse(body);
  if (!answer.success) throw refused(body);
  const { device_code, user_code, verificationUri, verification_uri_complete, expires_in, interval } =
    answer.data;
  return {
    verificationUri,
    verificationUriComplete: verification_uri_complete ?? null,
    userCode: user_code,
    expiresAt: (options.now ?? Date.now)() + expires_in * 1000,
    deviceCode: device_code,
    interval,
  };
}

/**
 * Waits until the person has logged in.
 * @returns the id token (a JWT, unverified).
 * @throws DeviceFlowError DENIED, EXPIRED, NO_TOKEN, PROVIDER_REFUSED, or the signal's reason.
 */
export async function awaitDeviceLogin(
  issuer: DeviceIssuer,
  login: DeviceLogin,
  options: DeviceFlowOptions = {},
): Promise<string> {
  const sleep = options.sleep ?? ((ms: number) => pause(ms, options.signal));
  const now = options.now ?? Date.now;
  let interval = login.interval;
  while (now() < login.expiresAt) {
    await sleep(interval * 1000);
    const answer = await askForToken(issuer, login, options);
    if (answer.token) return answer.token;
    if (answer.slower) interval += 5;
  }
  throw new DeviceFlowError("EXPIRED", "the code expired before the login was finished");
}

/** Polls once (RFC 8628, 3.4 and 3.5). A network failure slows down polling, as section 3.5 advises. */
async function askForToken(
  issuer: DeviceIssuer,
  login: DeviceLogin,
  options: DeviceFlowOptions,
): Promise<{ token?: string; slower?: boolean }> {
  const form: Record<string, string> = {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: login.deviceCode,
    client_id: issuer.deviceClientId,
  };
  if (issuer.deviceClientSecret) form.client_secret = issuer.deviceClientSecret;
  let answer: { ok: boolean; body: unknown };
  try {
    answer = await postForm(issuer.tokenEndpoint, form, options);
  } catch (error) {
    if (error instanceof DeviceFlowError && error.code === "PROVIDER_UNREACHABLE") return { slower: true };
    throw error;
  }
  const token = tokenSchema.safeParse(answer.body);
  if (token.success) return { token: token.data.id_token };
  if (answer.ok) throw new DeviceFlowError("NO_TOKEN", "the identity provider sent no id token");
  const error = errorSchema.safeParse(answer.body);
  switch (error.success ? error.data.error : "") {
    case "authorization_pending":
      return {};
    case "slow_down":
      return { slower: true };
    case "access_denied":
      throw new DeviceFlowError("DENIED", "the login was declined");
    case "expired_token":
      throw new DeviceFlowError("EXPIRED", "the code expired before the login was finished");
    default:
      throw refused(answer.body);
  }
}

function refused(body: unknown): DeviceFlowError {
  const error = errorSchema.safeParse(body);
  const reason = error.success ? error.data.error : "unknown";
  return new DeviceFlowError(
    "PROVIDER_REFUSED",
    `the identity provider refused the login (${reason})`,
    reason,
  );
}

async function postForm(
  url: string,
  form: Record<string, string>,
  options: DeviceFlowOptions,
): Promise<{ ok: boolean; body: unknown }> {
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams(form).toString(),
      redirect: "error",
      signal: options.signal,
    });
    const body: unknown = await response.json();
    return { ok: response.ok, body };
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.name : "unknown";
    throw new DeviceFlowError("PROVIDER_UNREACHABLE", "the identity provider is unreachable", reason);
  }
}
