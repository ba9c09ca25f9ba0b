import { Redis } from "@upstash/redis";
import type { Cache } from "./index";
import { incrementScript, readIncrement } from "./scripts";

/** The cache in Upstash, Redis over REST. `url` is `upstash+https://:<token>@<host>`. */
export function upstashCache(url: string, prefix = "parley:"): Cache {
  const address = new URL(url.slice("upstash+".length));
  const token = decodeURIComponent(address.password || address.username);
  address.username = "";
  address.password = "";
  const redis = new Redis({
    url: address.toString().replace(/\/$/, ""),
    token,
    // It would parse stored JSON by itself, and give back something else than was stored.
    automaticDeserialization: false,
    enableTelemetry: false,
  });
  return {
    async get(key) {
      return await redis.get<string>(prefix + key);
    },
    async set(key, value, seconds, onlyIfAbsent = false) {
      const reply = onlyIfAbsent
        ? await redis.set(prefix + key, value, { ex: seconds, nx: true })
        : await redis.set(prefix + key, value, { ex: seconds });
      return reply === "OK";
    },
    async increment(key, seconds) {
      return readIncrement(await redis.eval(incrementScript, [prefix + key], [String(seconds)]));
    },
    async delete(key) {
      await redis.del(prefix + key);
    },
    async take(key) {
      return await redis.getdel<string>(prefix + key);
    },
    // REST keeps no connection.
    async close() {},
  };
}
