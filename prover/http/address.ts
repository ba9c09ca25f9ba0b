import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { type RateLimitKeys, rateLimitKeys } from "@/lib/rate-limit-key";

/**
 * Who asks, for counting requests.
 * @param trustedProxies proxies of the operator in front: as many entries at the end of X-Forwarded-For are theirs, the
 *   first of which names the client. 0: the header is not read, since anybody could write it.
 */
export function clientKeys(c: Context, trustedProxies: number): RateLimitKeys {
  const peer = getConnInfo(c).remote.address ?? "unknown";
  if (trustedProxies === 0) return rateLimitKeys(peer);
  const hops = (c.req.header("x-forwarded-for") ?? "").split(",").map((each) => each.trim());
  return rateLimitKeys(hops.at(-trustedProxies) || peer);
}
