import { createClient } from "redis";
import { log } from "@/lib/runtime/log";
import type { Cache } from "./index";
import { incrementScript, readIncrement } from "./scripts";

/** Long enough for a restart of Redis beside us, short enough to notice a wrong address. */
const connectTimeoutMs = 5_000;

/**
 * The cache in Redis 6.2 or newer (GETDEL).
 * @throws Error when it does not answer at the start; later losses reconnect by themselves.
 */
export async function redisCache(url: string, prefix = "parley:"): Promise<Cache> {
  let connected = false;
  const client = createClient({
    url,
    // Commands fail at once while Redis is away, rather than pile up.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectTimeoutMs,
      // By itself the client tries for ever, at the start too: a wrong address would look like a slow start.
      reconnectStrategy: (retries, cause) => (connected ? Math.min(retries * 100, 3_000) : cause),
    },
  });
  // Without a listener a broken connection would end the process.
  client.on("error", (error: unknown) => log.warn({ err: error }, "redis connection"));
  await client.connect();
  connected = true;
  return {
    async get(key) {
      return await client.get(prefix + key);
    },
    async set(key, value, seconds, onlyIfAbsent = false) {
      const expiration = { type: "EX", value: seconds } as const;
      const condition = onlyIfAbsent ? "NX" : undefined;
      return (await client.set(prefix + key, value, { expiration, condition })) === "OK";
    },
    async increment(key, seconds) {
      const reply = await client.eval(incrementScript, {
        keys: [prefix + key],
        arguments: [String(seconds)],
      });
      return readIncrement(reply);
    },
    async delete(key) {
      await client.del(prefix + key);
    },
    async take(key) {
      return await client.getDel(prefix + key);
    },
    async close() {
      await client.close();
    },
  };
}
