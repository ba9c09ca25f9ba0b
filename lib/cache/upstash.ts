import { Redis } from "@upstash/redis";
import { assertMessage, Channels } from "./channels";
import type { Cache } from "./index";
import { incrementScript, readIncrement } from "./scripts";
import { upstashSubscriptions } from "./upstash-events";

/** The cache in Upstash, Redis over REST. `url` is `upstash+https://:<token>@<host>`. */
export function upstashCache(url: string, prefix = "parley:"): Cache {
  const address = new URL(url.slice("upstash+".length));
  const token = decodeURIComponent(address.password || address.username);
  address.username = "";
  address.password = "";
  const base = address.toString().replace(/\/$/, "");
  const redis = new Redis({
    url: base,
    token,
    // It would parse stored JSON by itself, and give back something else than was stored.
    automaticDeserialization: false,
    enableTelemetry: false,
  });
  const upstream = upstashSubscriptions(
    { url: base, token, prefix },
    {
      onMessage: (channel, message) => channels.deliver(channel, message),
      onRestored: (channel) => channels.restored(channel),
    },
  );
  const channels = new Channels(upstream);
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

    async publish(channel, message) {
      assertMessage(channel, message);
      await redis.publish(prefix + channel, message);
    },
    async subscribe(channel, onMessage, onRestored) {
      return await channels.subscribe(channel, onMessage, onRestored);
    },
    async close() {
      upstream.close();
    },
  };
}
