import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "@upstash/redis";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { log } from "@/lib/log";
import type { Listener } from "@/lib/sql";
import { backoffMs } from "@/lib/sql/listening";
import { assertMessage, Channels, type Upstream } from "./channels";
import type { Cache } from "./index";
import { incrementScript, readIncrement } from "./scripts";

/** Makes a cache from Upstash, Redis over REST. @param url `upstash+https://:<token>@<host>` */
export function upstashCache(url: string, prefix = "parley:"): Cache {
  const address = new URL(url.slice("upstash+".length));
  const token = decodeURIComponent(address.password || address.username);
  address.username = "";
  address.password = "";
  const base = address.toString().replace(/\/$/, "");
  const redis = new Redis({
    url: base,
    token,
    // The client would parse stored JSON and return something else than was stored.
    automaticDeserialization: false,
    enableTelemetry: false,
  });
  const upstream = upstashSubscriptions(`${base}/subscribe/${prefix}`, token, {
    onMessage: (channel, message) => channels.deliver(channel, message),
    onRestored: (channel) => channels.restored(channel),
  });
  const channels = new Channels(upstream);
  return {
    get: (key) => redis.get<string>(prefix + key),
    async set(key, value, seconds, onlyIfAbsent = false) {
      const reply = onlyIfAbsent
        ? await redis.set(prefix + key, value, { ex: seconds, nx: true })
        : await redis.set(prefix + key, value, { ex: seconds });
      return reply === "OK";
    },
    async increment(key, seconds, by = 1) {
      const given = [String(seconds), String(by)];
      return readIncrement(await redis.eval(incrementScript, [prefix + key], given));
    },
    async delete(key) {
      await redis.del(prefix + key);
    },

    async publish(channel, message) {
      assertMessage(channel, message);
      await redis.publish(prefix + channel, message);
    },
    subscribe: (...subscription) => channels.subscribe(...subscription),
    close: async () => upstream.close(),
  };
}

/**
 * Upstash's SUBSCRIBE: an event stream per channel (docs of its REST API, "Subscribe"). Its client's own Subscriber does
 * not report that a stream ended, so it cannot reconnect. fetch ends an idle stream after five minutes, which limits how
 * long a dead connection goes unnoticed.
 */
function upstashSubscriptions(
  url: string,
  token: string,
  { onMessage, onRestored }: Omit<Listener, "onRestored"> & { onRestored(channel: string): void },
): Upstream & { close(): void } {
  const followed = new Map<string, AbortController>();

  async function read(channel: string, signal: AbortSignal, begun: () => void): Promise<void> {
    const response = await fetch(`${url}${channel}`, {
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
        log.warn({ err: error }, "upstash subscription failed");
      }
      missed = true;
      begun();
      // An aborted sleep ends the loop, which checks the signal.
      await sleep(backoffMs(attempts), undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    async listen(channel) {
      const stop = new AbortController();
      followed.set(channel, stop);
      // Resolves when the first attempt succeeds or fails.
      await new Promise<void>((resolve) => void follow(channel, stop.signal, resolve));
    },
    async unlisten(channel) {
      followed.get(channel)?.abort();
      followed.delete(channel);
    },
    close() {
      for (const stop of followed.values()) stop.abort();
      followed.clear();
    },
  };
}
