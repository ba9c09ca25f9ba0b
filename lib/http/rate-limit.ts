import type { Cache } from "@/lib/cache";
import type { OperationSpec } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { siteFactor } from "@/lib/rate-limit-key";
import { addressTags, type TagServices } from "./address-tag";

/** Headers of draft-ietf-httpapi-ratelimit-headers-06 (the three-header form clients know). */
export type RateHeaders = Readonly<Record<`ratelimit-${"limit" | "remaining" | "reset"}`, string>>;

/** A refusal for too many requests, with the headers that say when to come back. */
export class RateLimited extends Refusal {
  constructor(
    readonly headers: RateHeaders,
    seconds: number,
  ) {
    super("rate_limited", { message: `Too many requests. Try again in ${seconds} s.`, retryAfter: seconds });
  }
}

/**
 * Counts one request of `caller` on an operation, in a fixed window that starts with its first request.
 *
 * A fixed window over `Cache.increment` and not rate-limiter-flexible: that library wants a driver of its own for each
 * store (or its internal base class), so embedded table, Redis and Upstash would be configured twice, and its
 * embedded counters would not be the cache's.
 * @throws RateLimited when the window is used up.
 */
export async function countRequest(
  cache: Cache,
  op: Pick<OperationSpec, "id" | "limit">,
  caller: string,
): Promise<RateHeaders> {
  const { points, seconds } = op.limit;
  const { value, expiresInSeconds } = await cache.increment(`rate:${op.id}:${caller}`, seconds);
  const headers: RateHeaders = {
    "ratelimit-limit": String(points),
    "ratelimit-remaining": String(Math.max(0, points - value)),
    "ratelimit-reset": String(expiresInSeconds),
  };
  if (value > points) throw new RateLimited(headers, expiresInSeconds);
  return headers;
}

/**
 * Counts one request of a client that nobody knows: by its address, and where that is an IPv6 /64 by the /48 around it too, of
 * which one customer may have 65,536 of the former. That one has a larger budget, as at the prover.
 * @returns the headers of the address
 * @throws RateLimited when either window is used up.
 */
export async function countAddress(
  services: TagServices,
  { id, limit }: Pick<OperationSpec, "id" | "limit">,
  headers: Headers,
): Promise<RateHeaders> {
  const { address, site } = await addressTags(headers, services);
  const counted = await countRequest(services.cache, { id, limit }, `ip:${address}`);
  if (site !== null) {
    const points = limit.points * siteFactor;
    await countRequest(services.cache, { id, limit: { ...limit, points } }, `site:${site}`);
  }
  return counted;
}
