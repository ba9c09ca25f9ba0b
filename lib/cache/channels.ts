import { log } from "@/lib/log";
import type { Unsubscribe } from "./index";

/** PostgreSQL takes less than 8,000 bytes, and less than 64 of a channel's name. */
const longestMessage = 7_000;
const channelForm = /^[A-Za-z0-9:_-]{1,50}$/;

/** What a back end does for a channel that somebody of this process is subscribed to. */
export interface Upstream {
  /** Resolves when messages of the channel come, or when it is clear that they will once the back end is back. */
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
}

interface Subscriber {
  readonly onMessage: (message: string) => void;
  readonly onRestored: (() => void) | undefined;
}

interface Channel {
  readonly subscribers: Set<Subscriber>;
  /** What the back end was last asked for. */
  listening: boolean;
  /** One thing is asked of it after the other. */
  asked: Promise<void>;
}

/** Who in this process is subscribed to what: one upstream subscription per channel, however many there are. */
export class Channels {
  readonly #channels = new Map<string, Channel>();
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  async subscribe(
    name: string,
    onMessage: (message: string) => void,
    onRestored?: () => void,
  ): Promise<Unsubscribe> {
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

  /** A message came. */
  deliver(name: string, message: string): void {
    for (const { onMessage } of this.#channels.get(name)?.subscribers ?? []) call(() => onMessage(message));
  }

  /** Messages may have been lost: of one channel, or of all. */
  restored(name?: string): void {
    const channels = name === undefined ? this.#channels.values() : [this.#channels.get(name)];
    for (const channel of channels) {
      for (const { onRestored } of channel?.subscribers ?? []) if (onRestored) call(onRestored);
    }
  }

  /** Listens or not, by whether anybody is subscribed when its turn comes. */
  #settle(name: string, channel: Channel): Promise<void> {
    channel.asked = channel.asked
      .then(async () => {
        const wanted = channel.subscribers.size > 0;
        if (wanted === channel.listening) return;
        channel.listening = wanted;
        await (wanted ? this.#upstream.listen(name) : this.#upstream.unlisten(name));
        if (channel.subscribers.size === 0) this.#channels.delete(name);
      })
      .catch((error: unknown) => log.warn({ err: error }, "subscription of the cache"));
    return channel.asked;
  }
}

/** One who throws does not keep the others from being told. */
function call(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    log.error({ err: error }, "a subscriber failed");
  }
}

/** @throws Error for a name or message that not every back end takes */
export function assertMessage(channel: string, message: string): void {
  assertChannel(channel);
  if (Buffer.byteLength(message) > longestMessage || message.includes("\n")) {
    throw new Error(`a message of channel ${channel} is too long or has line breaks`);
  }
}

function assertChannel(name: string): void {
  if (!channelForm.test(name)) throw new Error(`${name} cannot be the name of a channel`);
}
