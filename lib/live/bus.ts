import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Cache, Unsubscribe } from "@/lib/cache";
import { parseJson } from "@/lib/json";
import { log } from "@/lib/log";
import { type Signal, signalSchema } from "./index";

const messageSchema = z.object({ from: z.string(), signals: z.array(signalSchema) });

/** Limits per message, so that it stays below what channels accept; user ids have up to 70 characters. */
const MAX_USERS = 80;
const MAX_SIGNALS = 40;

/** The signals of a channel that wait for the current message. */
interface Outgoing {
  signals: Signal[];
  sending: boolean;
}

/**
 * Sends signals between processes over the cache. This process handles its own signals at once and ignores them when
 * they come back. Signals that arrive while a message is being sent share the next one, so that a busy topic does not
 * cost a message per entry.
 */
export class Bus {
  /** Identifies this process's own messages. */
  readonly #self = randomUUID();
  readonly #outgoing = new Map<string, Outgoing>();
  readonly #sending = new Set<Promise<void>>();
  readonly #cache: Cache;
  readonly #onSignal: (signal: Signal) => void;
  readonly #onRestored: () => void;

  /** @param onRestored called when signals may have been lost */
  constructor(cache: Cache, onSignal: (signal: Signal) => void, onRestored: () => void) {
    this.#cache = cache;
    this.#onSignal = onSignal;
    this.#onRestored = onRestored;
  }

  publish(signal: Signal): void {
    this.#onSignal(signal);
    for (const part of parts(signal)) this.#send(part);
  }

  /** Receives a channel's signals from other processes from now on. */
  async listen(channel: string): Promise<Unsubscribe> {
    return await this.#cache.subscribe(channel, (message) => this.#receive(message), this.#onRestored);
  }

  /** Resolves when no message is being sent. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0) await Promise.allSettled(this.#sending);
  }

  #receive(message: string): void {
    const read = messageSchema.safeParse(parseJson(message));
    if (!read.success) {
      log.warn("cannot read a message of another process");
      return;
    }
    if (read.data.from === this.#self) return;
    for (const signal of read.data.signals) this.#onSignal(signal);
  }

  #send(signal: Signal): void {
    const channel = channelOf(signal);
    const outgoing = this.#outgoing.get(channel) ?? { signals: [], sending: false };
    this.#outgoing.set(channel, outgoing);
    merge(outgoing.signals, signal);
    if (outgoing.sending) return;
    outgoing.sending = true;
    const sending = this.#drain(channel, outgoing).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #drain(channel: string, outgoing: Outgoing): Promise<void> {
    try {
      while (outgoing.signals.length > 0) {
        const isInbox = outgoing.signals[0]?.kind === "inbox";
        const signals = outgoing.signals.splice(0, isInbox ? 1 : MAX_SIGNALS);
        await this.#cache.publish(channel, JSON.stringify({ from: this.#self, signals }));
      }
    } catch (error) {
      // The other processes find out when they poll.
      log.warn({ err: error }, "could not notify other processes");
    } finally {
      outgoing.sending = false;
      if (outgoing.signals.length === 0) this.#outgoing.delete(channel);
    }
  }
}

/** Signals of a topic or a post go to the processes that follow it, all others to every process with followers. */
export const inboxChannel = "inbox";
export const accessChannel = "access";
export const topicChannel = (topicId: string) => `topic:${topicId}`;
export const postChannel = (postId: string) => `post:${postId}`;

function channelOf(signal: Signal): string {
  switch (signal.kind) {
    case "chat":
    case "presence":
      return topicChannel(signal.topicId);
    case "thread":
      return postChannel(signal.postId);
    case "inbox":
      return inboxChannel;
    case "access":
      return accessChannel;
  }
}

/** Splits a signal that names many users. */
function parts(signal: Signal): Signal[] {
  if (signal.kind !== "inbox" || signal.userIds.length <= MAX_USERS) return [signal];
  const found: Signal[] = [];
  for (let from = 0; from < signal.userIds.length; from += MAX_USERS) {
    found.push({ kind: "inbox", userIds: signal.userIds.slice(from, from + MAX_USERS) });
  }
  return found;
}

/**
 * Only the last position of a topic's chat matters, and whether any of its signals cannot wait; presence signals are all
 * alike, and so are those of a thread.
 */
function merge(waiting: Signal[], signal: Signal): void {
  const same = waiting.findIndex(({ kind }) => kind === signal.kind);
  const known = waiting[same];
  if (signal.kind === "chat" && known?.kind === "chat") {
    waiting[same] = signal.calm && !known.calm ? { ...signal, calm: false } : signal;
  } else if ((signal.kind === "presence" || signal.kind === "thread") && known) waiting[same] = signal;
  else waiting.push(signal);
}
