import { log } from "@/lib/log";
import type { Cache, Unsubscribe } from "./index";

/** PostgreSQL limits a message to 8,000 bytes and a channel's name to 63. */
const maxMessageBytes = 7_000;
const channelForm = /^[A-Za-z0-9:_-]{1,50}$/;

/** A back end's subscription to channels that have subscribers in this process. */
export interface Upstream {
  /** Resolves when subscribed. Resolves also while the back end is away, and subscribes when it is back. */
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
}

interface Subscriber {
  readonly onMessage: (message: string) => void;
  readonly onRestored: (() => void) | undefined;
}

interface Channel {
  readonly subscribers: Set<Subscriber>;
  /** Whether the back end was last asked to listen. */
  listening: boolean;
  /** Serializes requests to the back end. */
  asked: Promise<void>;
}

/** The subscribers of this process: one upstream subscription per channel, however many there are. */
export class Channels {
  readonly #channels = new Map<string, Channel>();
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  async subscribe(...[name, onMessage, onRestored]: Parameters<Cache["subscribe"]>): Promise<Unsubscribe> {
    assertChannel(name);
    const channel = this.#channels.get(name) ?? {
      subscribers: new Set(),
      listening: false,
      asked: Promise.resolve(),
    };
    this.#channels.set(name, channel);
    const subscriber = { onMessage, onRestored };
    channel.subscribers.add(subscriber);
    await this.#settle(name, channel);
    return async () => {
      channel.subscribers.delete(subscriber);
      await this.#settle(name, channel);
    };
  }

  /** Passes a message to the channel's subscribers. */
  deliver(name: string, message: string): void {
    for (const { onMessage } of this.#channels.get(name)?.subscribers ?? []) call(() => onMessage(message));
  }

  /** Reports that messages of one channel, or of all, may have been lost. */
  restored(name?: string): void {
    const channels = name === undefined ? this.#channels.values() : [this.#channels.get(name)];
    for (const channel of channels) {
      for (const { onRestored } of channel?.subscribers ?? []) if (onRestored) call(onRestored);
    }
  }

  /** Listens or unlistens, depending on whether the channel has subscribers by then. */
  #settle(name: string, channel: Channel): Promise<void> {
    channel.asked = channel.asked
      .then(async () => {
        const wanted = channel.subscribers.size > 0;
        if (wanted === channel.listening) return;
        channel.listening = wanted;
        await (wanted ? this.#upstream.listen(name) : this.#upstream.unlisten(name));
        if (channel.subscribers.size === 0) this.#channels.delete(name);
      })
      .catch((error: unknown) => log.warn({ err: error }, "cache subscription failed"));
    return channel.asked;
  }
}

/** Calls a listener. One that throws must not stop the others. */
function call(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    log.error({ err: error }, "a subscriber failed");
  }
}

/** @throws Error for a name or message that some back end does not support */
export function assertMessage(channel: string, message: string): void {
  assertChannel(channel);
  if (Buffer.byteLength(message) > maxMessageBytes || message.includes("\n")) {
    throw new Error(`a message of channel ${channel} is too long or has line breaks`);
  }
}

function assertChannel(name: string): void {
  if (!channelForm.test(name)) throw new Error(`${name} is not a valid channel name`);
}
