import * as oidc from "openid-client";
import { readAppRequest } from "@/lib/community";
import { contract } from "@/lib/contract";
import type { AppClaim } from "@/lib/contract/app-claims";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { answerOidc } from "./answer";
import { REQUEST_COOKIE } from "./names";

/** Apps by stock `openid-client`, and browsers in which people sign in to them. */

export const issuer = new URL("http://localhost:3000");
/** Where apps have answers sent. */
export const home = "https://app.example/back";

/** Sends a request to the provider as the web would. */
export type Send = (request: Request) => Promise<Response>;
export const sendTo =
  (h: Harness): Send =>
  (request) =>
    h.run(() => answerOidc(request, {}));

/** A browser: it keeps cookies by path, and follows nothing by itself. */
export class Browser {
  readonly #send: Send;
  readonly #jar = new Map<string, { readonly value: string; readonly path: string }>();

  constructor(send: Send) {
    this.#send = send;
  }

  async get(address: string | URL): Promise<Response> {
    const url = new URL(address, issuer);
    const sent = [...this.#jar].filter(([, { path }]) => url.pathname.startsWith(path));
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join("; ");
    const response = await this.#send(new Request(url, { headers: { cookie, accept: "text/html" } }));
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=Thu, 01 Jan 1970/.test(line)) this.#jar.delete(name);
      else this.#jar.set(name, { value, path: /path=([^;]+)/.exec(line)?.[1] ?? "/" });
    }
    return response;
  }

  cookie(name: string): string | undefined {
    return this.#jar.get(name)?.value;
  }

  get cookieNames(): string[] {
    return [...this.#jar.keys()];
  }
}

export interface TestApp {
  readonly config: oidc.Configuration;
  readonly clientId: string;
  readonly secret: string | null;
  /** Everything that it received, as text. */
  readonly received: string[];
}

/** Registers an app, which knows the provider's address alone. */
export async function appOf(
  h: Harness,
  owner: TestUser,
  kind: "server" | "browser" = "server",
): Promise<TestApp> {
  const { app, clientSecret } = await owner.api.call(contract.apps.create, {
    name: "Tea club",
    kind,
    redirectUris: [home],
  });
  return await registered(h, app.clientId, clientSecret);
}

/** An app that is registered already. */
export async function registered(h: Harness, clientId: string, secret: string | null): Promise<TestApp> {
  const received: string[] = [];
  const config = await oidc.discovery(
    issuer,
    clientId,
    secret ?? undefined,
    secret ? undefined : oidc.None(),
    {
      execute: [oidc.allowInsecureRequests],
      [oidc.customFetch]: async (url, { method, headers, body }) => {
        const response = await sendTo(h)(
          new Request(url, { method, headers, body: body instanceof URLSearchParams ? body : null }),
        );
        received.push(JSON.stringify([...response.headers]) + (await response.clone().text()));
        return response;
      },
    },
  );
  return { config, clientId: clientId, secret, received };
}

export interface Begun {
  readonly app: TestApp;
  readonly browser: Browser;
  readonly requestId: string;
  readonly checks: oidc.AuthorizationCodeGrantChecks;
}

/** Where an app sends people, and what it checks when they come back. */
export async function addressOf({ config }: TestApp, more: Record<string, string> = {}) {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: home,
    scope: "openid",
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    ...{ state: expectedState, nonce: expectedNonce },
    ...more,
  });
  return { address, checks: { pkceCodeVerifier, expectedState, expectedNonce } };
}

/** Sends a new browser to the provider, up to the page on which a person decides. */
export async function begin(h: Harness, app: TestApp, more: Record<string, string> = {}): Promise<Begun> {
  const browser = new Browser(sendTo(h));
  const { address, checks } = await addressOf(app, more);
  const response = await browser.get(address);
  const location = response.headers.get("location") ?? "";
  const requestId = /^\/authorize\/([\w-]+)$/.exec(location)?.[1];
  if (!requestId || browser.cookie(REQUEST_COOKIE) !== requestId) {
    throw new Error(`the provider answered ${response.status} ${location}`);
  }
  return { app, browser, requestId, checks };
}

/** The page on which a user decides; null where the request is no longer open. */
export async function pageOf(h: Harness, user: TestUser, { requestId }: Pick<Begun, "requestId">) {
  return await readAppRequest(await h.memberContext(user.token), requestId);
}

export interface Decision {
  readonly allow?: boolean;
  readonly claims?: readonly AppClaim[];
}

/** The user decides on the page. @returns where the browser goes on */
export async function decide(
  h: Harness,
  user: TestUser,
  begun: Begun,
  { allow = true, claims = [] }: Decision = {},
) {
  const page = await pageOf(h, user, begun);
  if (!page) throw new Error("the request is not open");
  const { requestId: appRequestId, ticket } = page;
  const answer = { appRequestId, ticket, allow, claims: [...claims] };
  return (await user.api.call(contract.apps.answer, answer)).redirectTo;
}

/** Signs a user in to an app. @returns what it learns */
export async function signInTo(
  h: Harness,
  app: TestApp,
  user: TestUser,
  { more, ...decision }: Decision & { readonly more?: Record<string, string> } = {},
) {
  const begun = await begin(h, app, more);
  const back = await begun.browser.get(await decide(h, user, begun, decision));
  const location = back.headers.get("location") ?? "";
  app.received.push(location);
  const tokens = await oidc.authorizationCodeGrant(app.config, new URL(location), begun.checks);
  return { tokens, claims: tokens.claims(), begun, location };
}
