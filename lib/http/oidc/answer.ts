import { toFetchResponse, toReqRes } from "fetch-to-node";
import type { Provider } from "oidc-provider";
import { Refusal } from "@/lib/errors";
import type { Services } from "@/lib/runtime/assemble";
import { getServices } from "@/lib/runtime/services";
import { readWhole } from "../input";
import { countRequest } from "../rate-limit";
import { route } from "../reply";
import { SESSION_COOKIE } from "./names";
import { createOidcProvider } from "./provider";

/** Requests per address and minute: an app's server exchanges the codes of everybody who signs in to it. */
const limit = { points: 600, seconds: 60 };
/** Those that begin a sign-in: a browser does so for one person, and what it begins is kept for an hour. */
const beginLimit = { points: 60, seconds: 60 };
/** Of a form to exchange a code. */
const MAX_BODY_BYTES = 16_384;
const MAX_URL_CHARACTERS = 8192;
/** After this the keys are read again: another process may have made the next one. */
const KEYS_MS = 600_000;

const providers = new WeakMap<Services, { readonly until: number; readonly provider: Promise<Provider> }>();

function providerOf(services: Services): Promise<Provider> {
  const at = services.now().getTime();
  const known = providers.get(services);
  if (known && known.until > at) return known.provider;
  const provider = createOidcProvider(services);
  provider.catch(() => providers.delete(services));
  providers.set(services, { until: at + KEYS_MS, provider });
  return provider;
}

/**
 * Answers the protocol of OpenID Connect under `/oidc` and its discovery document. The library wants requests and responses of
 * Node; these are made from the web's, so that it runs on every host.
 */
export const answerOidc = route("oidc", async (request) => {
  const services = await getServices();
  const counted = new URL(request.url).pathname.startsWith("/oidc/auth")
    ? { id: "oidc.auth", limit: beginLimit }
    : { id: "oidc", limit };
  if (services.config.rateLimits) await countRequest(services, counted, request.headers);
  if (request.url.length > MAX_URL_CHARACTERS) {
    throw new Refusal("invalid_request", { message: "The address is too long." });
  }
  const provider = await providerOf(services);
  const { appUrl } = services.deployment.services;
  const { req, res } = toReqRes(await publicRequest(request, appUrl));
  // The library makes addresses of the request's; these are the public ones, whatever proxies are in front.
  Object.defineProperty(req, "socket", { value: { encrypted: appUrl.startsWith("https:") } });
  provider.callback()(req, res);
  return withoutSession(await toFetchResponse(res));
});

/** The request as the public address got it, with its whole body. @throws Refusal body_too_large, body_too_slow */
async function publicRequest(request: Request, appUrl: string): Promise<Request> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("host", new URL(appUrl).host);
  const body = request.method === "POST" ? await readWhole(request, MAX_BODY_BYTES) : null;
  headers.delete("transfer-encoding");
  if (body) headers.set("content-length", String(body.length));
  return new Request(new URL(pathname + search, appUrl), { method: request.method, headers, body });
}

/** Takes out the cookie of a session that is not kept, and what concerns a connection. */
function withoutSession(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const name of ["set-cookie", "connection", "transfer-encoding"]) headers.delete(name);
  for (const cookie of response.headers.getSetCookie()) {
    if (!cookie.startsWith(SESSION_COOKIE)) headers.append("set-cookie", cookie);
  }
  return new Response(response.body, { status: response.status, headers });
}
