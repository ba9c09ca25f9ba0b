import ipaddr from "ipaddr.js";
import type { RateLimiterAbstract } from "rate-limiter-flexible";

/** Counters that expire, in memory or in a store that processes share, such as the app's cache. */
export interface Counters {
  /** Adds one and returns the new value. The first increment sets the expiry. */
  increment(key: string, seconds: number): Promise<{ value: number; expiresInSeconds: number }>;
}

/** The library only stores counts here: each one has its own window, and RateLimiter compares it with its limit. */
export const COUNTING = { keyPrefix: "", points: 0, duration: 0 };

/** Returns a store of the library as counters. */
export function countersOf(store: RateLimiterAbstract): Counters {
  return {
    async increment(key, seconds) {
      const { consumedPoints, msBeforeNext } = await store.penalty(key, 1, { customDuration: seconds });
      return { value: consumedPoints, expiresInSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
    },
  };
}

/** A limit per fixed window. A window starts with its first request. */
export interface RateLimit {
  readonly id: string;
  readonly limit: { readonly points: number; readonly seconds: number };
}

/** The client that a request counts for. */
export interface RateLimitCaller {
  readonly key: string;
  /** The caller's budget as a multiple of the limit; default 1. */
  readonly factor?: number;
}

export type RateLimitCallers = readonly [RateLimitCaller, ...RateLimitCaller[]];

/** What a caller has left of a limit. */
export interface Quota {
  readonly points: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/** How long an exceeded limit is refused without a query, so that a flood costs the store one query per second. */
const EXCEEDED_MS = 1_000;
const MAX_EXCEEDED = 1_000;

/** Counts requests in fixed windows, for both programs. */
export class RateLimiter {
  readonly #counters: Counters;
  readonly #exceeded = new Map<string, { readonly quota: Quota; readonly until: number }>();

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /**
   * Counts a request for each caller in turn, up to the first whose limit is exceeded: a refused address does not consume
   * its network's budget.
   * @returns the quota of the caller whose limit is exceeded, otherwise of the first
   */
  async count(limit: RateLimit, [first, ...others]: RateLimitCallers): Promise<Quota> {
    const quota = await this.#count(limit, first);
    if (quota.isExceeded) return quota;
    for (const caller of others) {
      const other = await this.#count(limit, caller);
      if (other.isExceeded) return other;
    }
    return quota;
  }

  async #count({ id, limit }: RateLimit, { key, factor = 1 }: RateLimitCaller): Promise<Quota> {
    const name = counterName(id, key);
    const exceeded = this.#exceeded.get(name);
    if (exceeded && exceeded.until > Date.now()) return exceeded.quota;
    const points = limit.points * factor;
    const { value, expiresInSeconds } = await this.#counters.increment(name, limit.seconds);
    const quota = {
      points,
      remaining: Math.max(0, points - value),
      resetSeconds: expiresInSeconds,
      isExceeded: value > points,
    };
    if (quota.isExceeded) {
      if (this.#exceeded.size >= MAX_EXCEEDED) this.#exceeded.clear();
      this.#exceeded.set(name, { quota, until: Date.now() + EXCEEDED_MS });
    }
    return quota;
  }
}

/** Returns the name of a caller's counter in the store. */
export function counterName(id: string, key: string): string {
  return `rate:${id}:${key}`;
}

/** The keys that limits count a client by. */
export interface RateLimitKeys {
  /** An IPv4 address, or an IPv6 /64, which one household or machine usually gets. */
  readonly key: string;
  /** For IPv6 the /48 around it, which one customer may get: it contains 65,536 of the former. */
  readonly site?: string;
}

/** A site's budget as a multiple of a key's. */
export const SITE_FACTOR = 16;

/**
 * Returns the keys of an IP address, independent of its notation. Any other text is its own key, cut to 64 characters.
 */
export function rateLimitKeys(address: string): RateLimitKeys {
  if (!ipaddr.isValid(address)) return { key: address.slice(0, 64) };
  // An IPv4-mapped address (::ffff:192.0.2.1) counts as the IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return { key: parsed.toString() };
  const prefix = (bits: number) =>
    `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().split("%")[0]}/${bits}`)}/${bits}`;
  return { key: prefix(64), site: prefix(48) };
}

/**
 * Returns the client's address that the outermost of the operator's proxies wrote. Each proxy appends one entry to
 * X-Forwarded-For; entries before theirs are whatever the client wrote.
 */
export function forwardedAddress(
  forwardedFor: string | null | undefined,
  trustedProxies: number,
): string | undefined {
  if (trustedProxies === 0) return undefined;
  const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim());
  return hops.at(-trustedProxies) || undefined;
}
