import type { IncomingMessage } from "node:http";
import { type RateLimitKeys, rateLimitKeys } from "@/lib/rate-limit-key";
import { processState } from "@/lib/runtime/process";

/**
 * Carries the socket's address from the entry server to the route handlers. Next hands handlers only headers and keeps an
 * x-forwarded-for that the client wrote, so that one proves nothing.
 */
const header = "x-parley-socket-address";

/** Overwrites whatever the client sent under this name. The entry server calls it before anything reads the request. */
export function stampAddress(request: IncomingMessage): void {
  request.headers[header] = request.socket.remoteAddress ?? "";
}

/**
 * What counts for rate limits of the address a request came from: the socket's, or behind `trustedProxies` proxies the entry of
 * x-forwarded-for that the outermost of them wrote. "unknown" when neither is available; those share one limit. Where
 * no entry server stamps requests, the header is whatever the client wrote and is not read.
 */
export function addressKeysOf(headers: Headers, trustedProxies: number): RateLimitKeys {
  if (trustedProxies > 0) {
    const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
    return rateLimitKeys(hops.at(-trustedProxies) || "unknown");
  }
  return rateLimitKeys((processState().entry && headers.get(header)) || "unknown");
}
