import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "@upstash/redis";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { log } from "@/lib/log";
import type { Listener } from "@/lib/sql";
import { backoffMs } from "@/lib/sql/backoff";
import { assertMessage, Channels, type Upstream } from "./channels";
import type { Cache } from "./index";
import { incrementScript, readIncrement } from "./scripts";

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

interface UpstashAddress {
  readonly url: string;
  readonly token: string;
  readonly prefix: string;
}

/** A channel's event stream, and what ends it. */
interface Following {
  readonly stop: AbortController;
  /** Resolves when the first attempt succeeded or failed. */
  readonly begun: Promise<void>;
}

/**
 * Upstash's SUBSCRIBE: an event stream per channel (docs of its REST API, "Subscribe"). Of its client's own Subscriber
 * nobody learns that a stream ended, so that it could be opened again. A stream over which nothing comes is ended by
 * fetch after five minutes, and opened again as any other: a dead connection does not last longer.
 */
function upstashSubscriptions(
  { url, token, prefix }: UpstashAddress,
  { onMessage, onRestored }: Omit<Listener, "onRestored"> & { onRestored(channel: string): void },
): Upstream & { close(): void } {
  const followed = new Map<string, Following>();

  async function read(channel: string, signal: AbortSignal, begun: () => void): Promise<void> {
    const response = await fetch(`${url}/subscribe/${prefix}${channel}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
      signal,
    });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw new Error(`subscribing was answered with status ${response.status}`);
    }
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { data } of events) {
      // `subscribe,<channel>,<count>` and `message,<channel>,<message>`; a channel's name has no comma.
      const [, kind, message] = /^(\w+),[^,]*,(.*)$/s.exec(data) ?? [];
      if (kind === "subscribe") begun();
      else if (kind === "message" && message !== undefined) onMessage(channel, message);
    }
  }

  async function follow(channel: string, signal: AbortSignal, begun: () => void): Promise<void> {
    let missed = false;
    for (let attempts = 0; !signal.aborted; attempts += 1) {
      try {
        await read(channel, signal, () => {
          attempts = 0;
          begun();
          if (missed) onRestored(channel);
        });
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error }, "upstash subscription");
      }
      missed = true;
      begun();
      // Ended early, it is over: the loop asks the signal.
      await sleep(backoffMs(attempts), undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    async listen(channel) {
      const stop = new AbortController();
      const begun = new Promise<void>((resolve) => void follow(channel, stop.signal, resolve));
      followed.set(channel, { stop, begun });
      await begun;
    },
    async unlisten(channel) {
      followed.get(channel)?.stop.abort();
      followed.delete(channel);
    },
    close() {
      for (const { stop } of followed.values()) stop.abort();
      followed.clear();
    },
  };
}
