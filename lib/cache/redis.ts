import { once } from "node:events";
import { type CommandParser, createClient, defineScript } from "@redis/client";
import { log } from "@/lib/log";
import type { Listener } from "@/lib/sql";
import { assertMessage, Channels, type Upstream } from "./channels";
import type { Cache } from "./index";
import { incrementScript, readIncrement } from "./scripts";

/** Long enough for Redis to restart, short enough to notice a wrong URL. */
const connectTimeoutMs = 5_000;
/** Commands that may wait for a reply: far more than requests at a time. */
const MAX_WAITING = 10_000;

const addToCounter = defineScript({
  SCRIPT: incrementScript,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, seconds: number, by: number) {
    parser.pushKey(key);
    parser.push(String(seconds), String(by));
  },
  transformReply: (reply: unknown) => reply,
});

/** Makes a cache from Redis 6.2 or newer. @throws Error without a response at the start; later it reconnects */
export async function redisCache(url: string, prefix = "parley:"): Promise<Cache> {
  let connected = false;
  const client = createClient({
    url,
    // Commands fail at once while Redis is away, instead of queuing.
    disableOfflineQueue: true,
    // The client's time limit ends when a command is sent, which is at once, and costs more than sending it. This limit
    // holds for those that wait for a reply too.
    commandOptions: { timeout: 0 },
    commandsQueueMaxLength: MAX_WAITING,
    scripts: { addToCounter },
    socket: {
      connectTimeout: connectTimeoutMs,
      // By default the client retries forever, even at the start: a wrong URL would look like a slow start.
      reconnectStrategy: (retries, cause) => (connected ? Math.min(retries * 100, 3_000) : cause),
    },
  });
  // Without a listener, a broken connection would end the process.
  client.on("error", (error: unknown) => log.warn({ err: error }, "redis connection"));
  await client.connect();
  connected = true;

  // A connection that subscribes cannot run other commands.
  const upstream = subscriptions(client.duplicate({ disableOfflineQueue: false }), prefix, {
    onMessage: (channel, message) => channels.deliver(channel, message),
    onRestored: () => channels.restored(),
  });
  const channels = new Channels(upstream);

  return {
    get: (key) => client.get(prefix + key),
    async set(key, value, seconds, onlyIfAbsent = false) {
      const expiration = { type: "EX", value: seconds } as const;
      const condition = onlyIfAbsent ? "NX" : undefined;
      return (await client.set(prefix + key, value, { expiration, condition })) === "OK";
    },
    async increment(key, seconds, by = 1) {
      return readIncrement(await client.addToCounter(prefix + key, seconds, by));
    },
    async delete(key) {
      await client.del(prefix + key);
    },

    async publish(channel, message) {
      assertMessage(channel, message);
      await client.publish(prefix + channel, message);
    },
    subscribe: (...subscription) => channels.subscribe(...subscription),
    async close() {
      upstream.close();
      await client.close();
    },
  };
}

type Client = ReturnType<typeof createClient>;

/** Subscriptions on a separate connection, opened with the first one. The client reconnects by itself. */
function subscriptions(
  client: Client,
  prefix: string,
  { onMessage, onRestored }: Listener,
): Upstream & { close(): void } {
  const wanted = new Set<string>();
  let opening: Promise<unknown> | undefined;
  let unbroken = true;
  const deliver = (message: string, name: string) => onMessage(name.slice(prefix.length), message);
  const warn = (error: unknown) => log.warn({ err: error }, "redis subscriptions");
  client.on("error", (error: unknown) => {
    unbroken = false;
    warn(error);
  });
  client.on("ready", () => {
    // On reconnect the client restores confirmed subscriptions and drops pending ones. Subscribing twice is harmless.
    const asked = [...wanted].map((channel) => client.subscribe(prefix + channel, deliver));
    const missed = !unbroken;
    unbroken = false;
    Promise.all(asked)
      .then(() => missed && onRestored())
      .catch(warn);
  });
  return {
    async listen(channel) {
      wanted.add(channel);
      if (!opening) {
        opening = once(client, "ready").catch(() => undefined);
        // Retries until it succeeds or is closed.
        client.connect().catch(() => undefined);
      }
      await opening;
      if (client.isReady) await client.subscribe(prefix + channel, deliver).catch(warn);
    },
    async unlisten(channel) {
      wanted.delete(channel);
      if (client.isReady) await client.unsubscribe(prefix + channel, deliver).catch(warn);
    },
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}
