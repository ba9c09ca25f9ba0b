import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Cache } from "@/lib/cache";
import { forwardedAddress, type RateLimitKeys, rateLimitKeys } from "@/lib/rate-limit";
import type { Services } from "@/lib/runtime/assemble";
import { processState } from "@/lib/runtime/process";
import type { HeaderReader } from "./incoming";

/**
 * Carries the socket's address from the entry server to the route handlers. Next passes handlers only headers, and it
 * keeps an x-forwarded-for that the client wrote, so that header proves nothing.
 */
const SOCKET_ADDRESS_HEADER = "x-parley-socket-address";

/** By these a request's address is known; who calls an operation for a client passes them on. */
export const ADDRESS_HEADERS = ["x-forwarded-for", SOCKET_ADDRESS_HEADER] as const;

/** Overwrites this header, whatever the client sent. The entry server calls it before anything reads the request. */
export function stampAddress(request: IncomingMessage): void {
  request.headers[SOCKET_ADDRESS_HEADER] = request.socket.remoteAddress ?? "";
}

/**
 * Returns the rate-limit keys of a request's address: the socket's, or behind `trustedProxies` proxies the
 * x-forwarded-for entry that the outermost one wrote. Requests without either share the key "unknown". Without an
 * entry server the stamped header could be forged, so it is ignored.
 */
export function addressKeysOf(headers: HeaderReader, trustedProxies: number): RateLimitKeys {
  const address =
    trustedProxies > 0
      ? forwardedAddress(headers.get("x-forwarded-for"), trustedProxies)
      : processState().entry && headers.get(SOCKET_ADDRESS_HEADER);
  return rateLimitKeys(address || "unknown");
}

/** How long a day's key outlives its day at most. Afterwards no tag can be traced back to an address. */
const KEY_SECONDS = 25 * 60 * 60;

interface DayKey {
  readonly day: string;
  readonly key: Promise<Buffer>;
}
const keys = new WeakMap<Cache, DayKey>();

/**
 * Returns a tag for a client's address, for counters and the log: a hash under a key that changes daily. No database
 * holds an address, and nobody can later find out which address a tag meant.
 * @returns 16 characters
 */
export async function addressTag(headers: HeaderReader, services: TagServices): Promise<string> {
  return await tagOf(addressKeysOf(headers, services.config.trustedProxies).key, services);
}

export type TagServices = Pick<Services, "cache" | "config" | "now">;

/** Returns a tag like `addressTag` for any text. */
export async function tagOf(text: string, { cache, config, now }: TagServices): Promise<string> {
  const day = now().toISOString().slice(0, 10);
  let today = keys.get(cache);
  if (today?.day !== day) {
    today = { day, key: keyOf(day, cache, config.sessionSecrets[0]) };
    keys.set(cache, today);
  }
  try {
    return createHmac("sha256", await today.key)
      .update(text)
      .digest("base64url")
      .slice(0, 16);
  } catch (error) {
    keys.delete(cache);
    throw error;
  }
}

/** The day's key: derived from our secret and random bytes that all processes share and that expire a day later. */
async function keyOf(day: string, cache: Cache, secret: Uint8Array): Promise<Buffer> {
  const name = `address-key:${day}`;
  await cache.set(name, randomBytes(32).toString("base64url"), KEY_SECONDS, true);
  const shared = await cache.get(name);
  if (shared === null) throw new Error("the cache did not store the day's address key");
  return createHmac("sha256", secret).update(`client addresses\0${shared}`).digest();
}
