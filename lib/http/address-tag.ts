import { createHmac, randomBytes } from "node:crypto";
import type { Cache } from "@/lib/cache";
import type { Services } from "@/lib/runtime/assemble";
import { addressKeysOf } from "./address";

/** How long a day's key outlives its day at most. Afterwards no tag can be traced back to an address. */
const keySeconds = 25 * 60 * 60;

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
export async function addressTag(headers: Headers, services: TagServices): Promise<string> {
  return await tagOf(addressKeysOf(headers, services.config.trustedProxies).key, services);
}

export type TagServices = Pick<Services, "cache" | "config" | "now">;

/** Returns a tag like `addressTag` for any text. */
export async function tagOf(text: string, { cache, config, now }: TagServices): Promise<string> {
  const day = now().toISOString().slice(0, 10);
  let today = keys.get(cache);
  if (today?.day !== day) {
    today = { day, key: keyOf(day, cache, config.sessionSecret) };
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
  await cache.set(name, randomBytes(32).toString("base64url"), keySeconds, true);
  const shared = await cache.get(name);
  if (shared === null) throw new Error("the cache did not keep the day's key of addresses");
  return createHmac("sha256", secret).update(`client addresses\0${shared}`).digest();
}
