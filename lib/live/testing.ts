import { createParser } from "eventsource-parser";
import type { KyselyPlugin } from "kysely";
import type { Cache } from "@/lib/cache";
import type { EventStream, FrameSink } from "@/lib/contract";
import { memoryDatabase } from "@/lib/testing/template";
import { createLive } from "./create";
import { eventFrame, type Feed, type Live, type LogEntry, type Subscription } from "./index";
import type { LiveSettings } from "./settings";

/** A cache that stores and sends nothing, and can simulate a restored connection. */
export function noCache(): Cache & { restore(): void } {
  const restored = new Set<() => void>();
  return {
    get: async () => null,
    set: async () => true,
    increment: async () => ({ value: 1, expiresInSeconds: 1 }),
    delete: async () => undefined,
    publish: async () => undefined,
    async subscribe(_channel, _onMessage, onRestored) {
      if (onRestored) restored.add(onRestored);
      return async () => undefined;
    },
    close: async () => undefined,
    restore() {
      for (const one of restored) one();
    },
  };
}

/** A client of a stream whose messages have positions. With `takes: false` it leaves every byte buffered. */
export class Client implements FrameSink {
  readonly positions: number[] = [];
  /** Names of the received events. */
  readonly events: string[] = [];
  states = 0;
  bytes = 0;
  /** The last frame, and all of them. */
  last = "";
  readonly frames: string[] = [];
  isOver = false;
  readonly ended: Promise<void>;
  readonly #stream: EventStream;
  #takes: boolean;
  #end = () => {};
  #wake = () => {};
  readonly #parser = createParser({
    onEvent: ({ event, data }) => {
      this.events.push(event ?? "");
      if (event === "state") this.states += 1;
      if (event === "message") this.positions.push(Number(Object(JSON.parse(data)).position));
    },
  });

  constructor(stream: EventStream, { takes = true }: { readonly takes?: boolean } = {}) {
    this.#stream = stream;
    this.#takes = takes;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    stream.open(this);
  }

  send(frame: Uint8Array): number {
    if (this.isOver) throw new Error("sent after its end");
    this.bytes += frame.byteLength;
    this.last = new TextDecoder().decode(frame);
    this.frames.push(this.last);
    this.#parser.feed(this.last);
    this.#wake();
    return this.#takes ? 0 : this.bytes;
  }

  end(): void {
    this.isOver = true;
    this.#end();
    this.#stream.closed();
  }

  /** Disconnects. */
  leave(): void {
    this.isOver = true;
    this.#stream.closed();
  }

  /** Reads everything from here on. */
  take(): void {
    this.#takes = true;
  }

  async until(condition: (positions: readonly number[]) => boolean): Promise<void> {
    while (!condition(this.positions)) {
      if (this.isOver) throw new Error("the stream ended");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** The key of a test's only log. */
export const key = "5f0c7c9e-0000-4000-8000-000000000001";
export const idOf = (position: number) => `00000000-0000-4000-8000-${String(position).padStart(12, "0")}`;
export const upTo = (to: number, from = 1) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
export const publish = (live: Live, position: number) =>
  live.publish({ kind: "chat", topicId: key, position });

/** A log that a test writes. */
export class Log implements Feed {
  readonly keyedBy = "topic";
  readonly entries: LogEntry[] = [];
  version = 0;
  /** Number of calls of `after`. */
  reads = 0;
  states = 0;
  /** Awaited by every read. */
  gate: Promise<void> = Promise.resolve();

  write(): number {
    const position = this.entries.length + 1;
    this.entries.push({ position, frame: eventFrame("message", { position }, idOf(position)) });
    return position;
  }
  async look() {
    const position = this.entries.length;
    return new Map([[key, { position, version: String(this.version) }]]);
  }
  async after(_db: unknown, _key: string, position: number, limit: number) {
    this.reads += 1;
    const page = this.entries.filter((entry) => entry.position > position).slice(0, limit);
    await this.gate;
    return page;
  }
  async positionOf(_db: unknown, _key: string, id: string) {
    return this.entries.find(({ position }) => idOf(position) === id)?.position ?? null;
  }
  async state() {
    this.states += 1;
    return eventFrame("state", { version: this.version });
  }
}

const never = { pingMs: 3_600_000, rightsMs: 3_600_000, lookMs: 3_600_000, stateMs: 1 };

/** Live services of one database with two users, Ada and Bob; their timers do nothing for an hour. */
export async function openStage() {
  const { db, close } = await memoryDatabase();
  const callers: Subscription["caller"][] = [];
  for (const userId of ["ada", "bob"]) {
    const names = { id: userId, identity_hash: userId, nickname: userId, nickname_key: userId };
    await db
      .insertInto("users")
      .values({ ...names, nickname_set: true, profile_image: null, deleted_at: null })
      .execute();
    const times = { created_at: new Date(), last_seen_at: new Date() };
    const expires_at = new Date(Date.now() + 3_600_000);
    const session = await db
      .insertInto("sessions")
      .values({ jti: userId, user_id: userId, label: "", ...times, expires_at })
      .returning("id")
      .executeTakeFirstOrThrow();
    callers.push({ userId, session });
  }
  const [ada, bob] = callers;
  if (!ada || !bob) throw new Error("nobody is there");
  return {
    bob,
    close,
    liveWith: (
      settings: Partial<LiveSettings> = {},
      cache: Cache = noCache(),
      ...plugins: KyselyPlugin[]
    ): Live =>
      createLive({
        db: plugins.reduce((all, plugin) => all.withPlugin(plugin), db),
        cache,
        now: () => new Date(),
        settings: { ...never, streamsPerUser: 10_000, ...settings },
      }),
    /** Follows as Ada. */
    follow: async (live: Live, log: Log, lastEventId: string | null = null): Promise<EventStream> =>
      await live.follow(log, key, { caller: ada, lastEventId }),
  };
}
