import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Cache, Unsubscribe } from "@/lib/cache";
import { parseJson } from "@/lib/json";
import { log } from "@/lib/log";
import type { Signal } from "./feed";

const signalSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("chat"), topicId: z.uuid(), position: z.int() }),
  z.object({ kind: z.literal("presence"), topicId: z.uuid() }),
  z.object({ kind: z.literal("inbox"), userIds: z.array(z.string()) }),
  z.object({ kind: z.literal("access"), topicId: z.uuid().optional(), userId: z.string().optional() }),
]);
const messageSchema = z.object({ from: z.string(), signals: z.array(signalSchema) });

/** What goes in one message, so that it stays below what channels take; user ids have up to 70 characters. */
const usersAtOnce = 80;
const signalsAtOnce = 40;

/** A channel's signals that wait until the one under way is sent. */
interface Outgoing {
  signals: Signal[];
  sending: boolean;
}

/**
 * Signals between processes, over the cache. This process is told at once and by itself; what comes back of its own is
 * passed over. While a message is under way the next ones of its channel gather, so that a busy topic does not cost a
 * message for each entry.
 */
export class Bus {
  readonly #cache: Cache;
  readonly #take: (signal: Signal) => void;
  readonly #restored: () => void;
  /** Tells our own messages from others'. */
  readonly #self = randomUUID();
  readonly #outgoing = new Map<string, Outgoing>();
  readonly #sending = new Set<Promise<void>>();

  /** @param restored called when signals may have been lost */
  constructor(cache: Cache, take: (signal: Signal) => void, restored: () => void) {
    this.#cache = cache;
    this.#take = take;
    this.#restored = restored;
  }

  publish(signal: Signal): void {
    this.#take(signal);
    for (const part of parts(signal)) this.#send(part);
  }

  /** Signals of a channel from now on, those of other processes. */
  async listen(channel: string): Promise<Unsubscribe> {
    return await this.#cache.subscribe(channel, (message) => this.#receive(message), this.#restored);
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0) await Promise.allSettled(this.#sending);
  }

  #receive(message: string): void {
    const read = messageSchema.safeParse(parseJson(message));
    if (!read.success) {
      log.warn("a message of another process cannot be read");
      return;
    }
    if (read.data.from === this.#self) return;
    for (const signal of read.data.signals) this.#take(signal);
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
        const signals = outgoing.signals.splice(0, atOnce(outgoing.signals));
        await this.#cache.publish(channel, JSON.stringify({ from: this.#self, signals }));
      }
    } catch (error) {
      // Whoever was not told finds out by looking.
      log.warn({ err: error }, "other processes could not be told");
    } finally {
      outgoing.sending = false;
      if (outgoing.signals.length === 0) this.#outgoing.delete(channel);
    }
  }
}

/** Signals of a topic go to those who follow it; the others to every process that follows anything. */
export const inboxChannel = "inbox";
export const accessChannel = "access";
export const topicChannel = (topicId: string) => `topic:${topicId}`;

function channelOf(signal: Signal): string {
  switch (signal.kind) {
    case "chat":
    case "presence":
      return topicChannel(signal.topicId);
    case "inbox":
      return inboxChannel;
    case "access":
      return accessChannel;
  }
}

/** A signal that names many users, as several. */
function parts(signal: Signal): Signal[] {
  if (signal.kind !== "inbox" || signal.userIds.length <= usersAtOnce) return [signal];
  const found: Signal[] = [];
  for (let from = 0; from < signal.userIds.length; from += usersAtOnce) {
    found.push({ kind: "inbox", userIds: signal.userIds.slice(from, from + usersAtOnce) });
  }
  return found;
}

/** Of a topic's chat only the last position matters, and of its presence that it changed. */
function merge(waiting: Signal[], signal: Signal): void {
  const same = waiting.findIndex(({ kind }) => kind === signal.kind);
  const mergeable = signal.kind === "chat" || signal.kind === "presence";
  if (mergeable && same >= 0) waiting[same] = signal;
  else waiting.push(signal);
}

/** How many of these go in one message. */
function atOnce(signals: readonly Signal[]): number {
  return signals[0]?.kind === "inbox" ? 1 : signalsAtOnce;
}
