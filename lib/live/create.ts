import { randomUUID } from "node:crypto";
import type { Db } from "@/db/schema";
import type { Cache } from "@/lib/cache";
import type { EventStream } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { log } from "@/lib/log";
import { Batch, grouped } from "./batch";
import { Bus } from "./bus";
import { ConnectionKeeper } from "./connections";
import { Hub } from "./hub";
import { eventFrame, type Feed, type Live, type Signal, type Subscription } from "./index";
import type { Room } from "./room";
import { type LiveSettings, liveSettings } from "./settings";
import { LiveStream, type StreamOwner } from "./stream";
import { every } from "./timers";

/** Followers per query. */
const PER_QUERY = 1_000;

/** Ends streams whose session ended or whose feed refuses them; while the database is away, they stay open. */
class Rights {
  /** Returns whether each of these sessions is still active. */
  readonly sessions = new Batch<string, boolean>(async (ids) => {
    const going = await this.#activeSessions(ids);
    return ids.map((id) => going.has(id));
  });
  readonly #db: Db;
  readonly #now: () => Date;

  constructor(db: Db, now: () => Date) {
    this.#db = db;
    this.#now = now;
  }

  /** Ends the streams that lost their right. */
  async check(streams: readonly LiveStream<Room>[]): Promise<void> {
    for (let from = 0; from < streams.length; from += PER_QUERY) {
      try {
        await this.#checkRound(streams.slice(from, from + PER_QUERY));
      } catch (error) {
        log.warn({ err: error }, "could not check the rights of streams");
      }
    }
  }

  async #checkRound(streams: readonly LiveStream<Room>[]): Promise<void> {
    // As they are now: a stream that is still being opened checks its own session, and may have it before the answer is here.
    const asked = streams.map((stream) => ({ stream, sessionId: stream.sessionId }));
    const going = await this.#activeSessions(asked.map(({ sessionId }) => sessionId));
    const left: LiveStream<Room>[] = [];
    for (const { stream, sessionId } of asked) {
      if (sessionId === "" || going.has(sessionId)) left.push(stream);
      else stream.refuse();
    }
    for (const [feed, followers] of grouped(left, ({ room }) => room.feed)) {
      if (!feed.allowed) continue;
      const asked = followers.map(({ room: { key }, userId }) => ({ key, userId }));
      const allowed = new Set((await feed.allowed(this.#db, asked)).map(nameOf));
      for (const stream of followers) {
        if (!allowed.has(nameOf({ key: stream.room.key, userId: stream.userId }))) stream.refuse();
      }
    }
  }

  /** Returns those of these sessions that are active and whose account exists. */
  async #activeSessions(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const known = [...new Set(ids)].filter((id) => id !== "");
    if (known.length === 0) return new Set();
    const rows = await this.#db
      .selectFrom("sessions as s")
      .innerJoin("users as u", "u.id", "s.user_id")
      .select("s.id")
      .where("s.id", "in", known)
      .where("s.expires_at", ">", this.#now())
      .where("u.deleted_at", "is", null)
      .execute();
    return new Set(rows.map(({ id }) => id));
  }
}

function nameOf({ key, userId }: { readonly key: string; readonly userId: string }): string {
  return `${key} ${userId}`;
}

const PING_SLOTS = 30;
const frame = eventFrame("ping", {});

/** Pings every stream once per round. One timer serves all; each tick pings a thirtieth of them. */
class Pings {
  readonly #slots = Array.from({ length: PING_SLOTS }, () => new Set<LiveStream<Room>>());
  readonly stop: () => void;
  #next = 0;
  #current = 0;

  readonly #pings: number;

  /** @param lifeMs within which a stream ends */
  constructor(roundMs: number, lifeMs: number) {
    // The first ping comes within a round.
    this.#pings = Math.floor(lifeMs / roundMs);
    this.stop = every(roundMs / PING_SLOTS, () => this.#tick());
  }

  /** Starts to ping a stream once per round. */
  add(stream: LiveStream<Room>): void {
    this.#next = (this.#next + 1) % PING_SLOTS;
    stream.slot = this.#next;
    this.#slots[stream.slot]?.add(stream);
  }

  remove(stream: LiveStream<Room>): void {
    this.#slots[stream.slot]?.delete(stream);
  }

  #tick(): void {
    this.#current = (this.#current + 1) % PING_SLOTS;
    for (const stream of this.#slots[this.#current] ?? []) stream.ping(frame, this.#pings);
  }
}

interface LiveParts {
  readonly db: Db;
  readonly cache: Cache;
  readonly now: () => Date;
  readonly settings?: Partial<LiveSettings>;
  /** Tells the platform of what goes on after a response; absent where the process lives on anyway. */
  readonly holdOpen?: (work: Promise<void>) => void;
}

/** What is open now. */
export interface StreamCounts {
  readonly streams: number;
  /** Members with at least one stream. */
  readonly members: number;
}

/** Creates the live updates of a process. It starts no timer and subscribes to nothing before the first follower. */
export function createLive(parts: LiveParts): LiveService {
  return new LiveService(parts);
}

class LiveService implements Live, StreamOwner<Room> {
  readonly #settings: LiveSettings;
  readonly #bus: Bus;
  readonly #hub: Hub;
  readonly #rights: Rights;
  readonly #keeper: ConnectionKeeper;
  readonly #users = new Map<string, Set<LiveStream<Room>>>();
  readonly #holdOpen: LiveParts["holdOpen"];
  /** Told when a stream is over and its leave is written. */
  readonly #held = new Map<LiveStream<Room>, () => void>();
  #pings: Pings | null = null;
  #stopRights: () => void = () => undefined;
  #closed = false;

  constructor({ db, cache, now, settings, holdOpen }: LiveParts) {
    const { pingMs, ...given } = { ...liveSettings, ...settings };
    // A stream that may not last long still ends in order: at a ping.
    this.#settings = { ...given, pingMs: Math.min(pingMs, given.streamMs / 2) };
    this.#holdOpen = holdOpen;
    this.#bus = new Bus(
      cache,
      (signal) => this.#receive(signal),
      () => void this.#hub.poll(),
    );
    this.#hub = new Hub(db, this.#bus, this.#settings);
    this.#rights = new Rights(db, now);
    const publish = (signal: Signal) => this.publish(signal);
    this.#keeper = new ConnectionKeeper({ db, now, settings: this.#settings, publish });
  }

  publish(signal: Signal): void {
    if (!this.#closed) this.#bus.publish(signal);
  }

  async follow(feed: Feed, key: string, subscription: Subscription): Promise<EventStream> {
    const { caller, authorize } = subscription;
    const stream = this.#admit(feed, key, caller.userId);
    try {
      const { room } = stream;
      const [isActive] = await Promise.all([this.#rights.sessions.add(caller.session.id), room.ready]);
      if (!isActive) throw new Refusal("not_authenticated", { message: "This session has ended." });
      stream.sessionId = caller.session.id;
      await this.#place(stream, subscription.lastEventId);
      // Checked last: from the admission on, a loss of rights ends the stream.
      await authorize?.();
      await this.#connect(stream);
      this.#hold(stream);
      return stream;
    } catch (error) {
      stream.end();
      throw error;
    }
  }

  /** Resolves when every signal is sent. */
  async settled(): Promise<void> {
    await this.#bus.settled();
  }

  counts(): StreamCounts {
    let streams = 0;
    for (const own of this.#users.values()) streams += own.size;
    return { streams, members: this.#users.size };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#pings?.stop();
    this.#stopRights();
    this.#hub.stop();
    // Their connections stay until this process counts as dead: most of these clients are about to reconnect.
    const ended = this.#keeper.end();
    for (const streams of [...this.#users.values()]) for (const stream of streams) stream.end();
    await ended;
    await this.#bus.settled();
  }

  opened(stream: LiveStream<Room>): void {
    void stream.room.begin(stream);
  }

  over(stream: LiveStream<Room>): void {
    this.#hub.leave(stream);
    this.#pings?.remove(stream);
    const streams = this.#users.get(stream.userId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#users.delete(stream.userId);
    const left = stream.connectionId !== null && this.#keeper.closed(stream.connectionId, stream.refused);
    const release = this.#held.get(stream);
    this.#held.delete(stream);
    void Promise.resolve(left).then(release);
  }

  /** Has the platform wait for what follows the end of a stream. */
  #hold(stream: LiveStream<Room>): void {
    if (stream.over) return;
    this.#holdOpen?.(new Promise((resolve) => this.#held.set(stream, resolve)));
  }

  /** @throws Refusal too_many_streams */
  #admit(feed: Feed, key: string, userId: string): LiveStream<Room> {
    if (this.#closed)
      throw new Refusal("not_ready", { retryAfter: 1, message: "This server is shutting down." });
    const streams = this.#users.get(userId) ?? new Set();
    if (streams.size >= this.#settings.streamsPerUser) {
      throw new Refusal("too_many_streams", { retryAfter: 5 });
    }
    if (!this.#pings) {
      this.#pings = new Pings(this.#settings.pingMs, this.#settings.streamMs);
      this.#stopRights = every(this.#settings.rightsMs, () => this.#rights.check(this.#streams()));
    }
    const stream = new LiveStream(this.#hub.room(feed, key), userId, this);
    stream.room.streams.add(stream);
    this.#users.set(userId, streams.add(stream));
    this.#pings.add(stream);
    return stream;
  }

  /** Sets where the stream begins. */
  async #place(stream: LiveStream<Room>, lastEventId: string | null): Promise<void> {
    const { room } = stream;
    const known =
      lastEventId === null ? null : await room.feed.positionOf(this.#keeper.db, room.key, lastEventId);
    stream.position = known ?? room.position;
    stream.reset = lastEventId !== null && known === null;
  }

  async #connect(stream: LiveStream<Room>): Promise<void> {
    const { feed, key } = stream.room;
    if (!feed.connections) return;
    const id = randomUUID();
    await this.#keeper.opened(feed.connections, { id, key, userId: stream.userId });
    if (stream.over) void this.#keeper.closed(id, stream.refused);
    else stream.connectionId = id;
  }

  #receive(signal: Signal): void {
    if (signal.kind !== "access") {
      this.#hub.receive(signal);
      return;
    }
    const { topicId, userId } = signal;
    const concerned = [...this.#hub.streamsIn(topicId)].filter(
      (stream) => userId === undefined || stream.userId === userId,
    );
    if (concerned.length > 0) void this.#rights.check(concerned);
  }

  #streams(): LiveStream<Room>[] {
    return [...this.#users.values()].flatMap((streams) => [...streams]);
  }
}
