import { Refusal } from "@/lib/errors";
import { type Quota, type RateLimit, type RateLimitCallers, SITE_FACTOR } from "@/lib/rate-limit";
import type { Services } from "@/lib/runtime/assemble";
import { addressKeysOf, type TagServices, tagOf } from "./address";
import type { HeaderReader } from "./incoming";

/** Headers of draft-ietf-httpapi-ratelimit-headers-06 (the three-header form clients know). */
export type RateHeaders = Readonly<Record<`ratelimit-${"limit" | "remaining" | "reset"}`, string>>;

/** A refusal for too many requests, with the headers that say when to come back. */
export class RateLimited extends Refusal {
  readonly headers: RateHeaders;

  constructor(quota: Quota) {
    const { resetSeconds } = quota;
    super("rate_limited", {
      message: `Too many requests. Try again in ${resetSeconds} s.`,
      retryAfter: resetSeconds,
    });
    this.headers = rateHeaders(quota);
  }
}

/** Counts one request: of a user, or of a guest by address. @throws RateLimited when the window is used up. */
export async function countRequest(
  services: TagServices & Pick<Services, "limiter">,
  limit: RateLimit,
  headers: HeaderReader,
  userId?: string | null,
): Promise<RateHeaders> {
  const callers: RateLimitCallers = userId
    ? [{ key: `user:${userId}` }]
    : await guestCallers(headers, services);
  return headersOf(await services.limiter.count(limit, callers));
}

/**
 * Counts a request of which nothing may be known: by address, in this process' memory alone, under a key that no other
 * limit uses. @throws RateLimited
 */
export async function countUnknown(
  services: Pick<Services, "unknownLimiter" | "config">,
  limit: RateLimit,
  headers: HeaderReader,
): Promise<RateHeaders> {
  const { key, site } = addressKeysOf(headers, services.config.trustedProxies);
  const callers: RateLimitCallers = site ? [{ key }, { key: site, factor: SITE_FACTOR }] : [{ key }];
  return headersOf(await services.unknownLimiter.count(limit, callers));
}

/** @throws RateLimited when the window is used up */
function headersOf(quota: Quota): RateHeaders {
  if (quota.isExceeded) throw new RateLimited(quota);
  return rateHeaders(quota);
}

function rateHeaders({ points, remaining, resetSeconds }: Quota): RateHeaders {
  return {
    "ratelimit-limit": String(points),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(resetSeconds),
  };
}

/** An IPv6 address counts for the network around it too, of which one customer may have many. */
async function guestCallers(headers: HeaderReader, services: TagServices): Promise<RateLimitCallers> {
  const { key, site } = addressKeysOf(headers, services.config.trustedProxies);
  const address = { key: `ip:${await tagOf(key, services)}` };
  return site ? [address, { key: `site:${await tagOf(site, services)}`, factor: SITE_FACTOR }] : [address];
}
