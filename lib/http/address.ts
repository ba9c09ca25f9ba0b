import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { type RateLimitKeys, rateLimitKeys } from "@/lib/rate-limit-key";

/**
 * Carries the socket's address from Node's HTTP server to the route handlers. Next hands handlers only headers and
 * keeps an x-forwarded-for that the client wrote, so that one proves nothing.
 */
const header = "x-parley-socket-address";

declare global {
  /**
   * True once a request was stamped: before that the header could be anybody's, and it stays anybody's where no server of
   * Node's takes the requests (serverless platforms).
   */
  var parleyKnowsAddresses: boolean | undefined;
}

/** Called once at start: stamps every incoming request, before Next sees it, with the address of its socket. */
export function publishSocketAddresses(): void {
  diagnostics.subscribe("http.server.request.start", stamp);
}

/** Overwrites whatever the client sent under this name. */
function stamp(message: unknown): void {
  if (!isRequestStart(message)) return;
  const { request } = message;
  request.headers[header] = request.socket.remoteAddress ?? "";
  globalThis.parleyKnowsAddresses = true;
}

function isRequestStart(message: unknown): message is { request: IncomingMessage } {
  return typeof message === "object" && message !== null && "request" in message;
}

/**
 * What counts for rate limits of the address a request came from: the socket's, or behind `trustedProxies` proxies the entry of
 * x-forwarded-for that the outermost of them wrote. "unknown" when neither is available; those share one limit.
 */
export function addressKeysOf(headers: Headers, trustedProxies: number): RateLimitKeys {
  if (trustedProxies > 0) {
    const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
    return rateLimitKeys(hops.at(-trustedProxies) || "unknown");
  }
  return rateLimitKeys((globalThis.parleyKnowsAddresses && headers.get(header)) || "unknown");
}
