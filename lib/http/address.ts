import type { IncomingMessage } from "node:http";
import { forwardedAddress, type RateLimitKeys, rateLimitKeys } from "@/lib/rate-limit";
import { processState } from "@/lib/runtime/process";

/**
 * Carries the socket's address from the entry server to the route handlers. Next passes handlers only headers, and it
 * keeps an x-forwarded-for that the client wrote, so that header proves nothing.
 */
const header = "x-parley-socket-address";

/** Overwrites this header, whatever the client sent. The entry server calls it before anything reads the request. */
export function stampAddress(request: IncomingMessage): void {
  request.headers[header] = request.socket.remoteAddress ?? "";
}

/**
 * Returns the rate-limit keys of a request's address: the socket's, or behind `trustedProxies` proxies the
 * x-forwarded-for entry that the outermost one wrote. Requests without either share the key "unknown". Without an
 * entry server the stamped header could be forged, so it is ignored.
 */
export function addressKeysOf(headers: Headers, trustedProxies: number): RateLimitKeys {
  const address =
    trustedProxies > 0
      ? forwardedAddress(headers.get("x-forwarded-for"), trustedProxies)
      : processState().entry && headers.get(header);
  return rateLimitKeys(address || "unknown");
}
