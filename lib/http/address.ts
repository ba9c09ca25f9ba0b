import type { IncomingMessage } from "node:http";
import { forwardedAddress, type RateLimitKeys, rateLimitKeys } from "@/lib/rate-limit";
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
  const address =
    trustedProxies > 0
      ? forwardedAddress(headers.get("x-forwarded-for"), trustedProxies)
      : processState().entry && headers.get(header);
  return rateLimitKeys(address || "unknown");
}
