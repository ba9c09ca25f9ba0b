import type { Db } from "@/db/schema";
import { log } from "@/lib/log";
import { eventFrame, type Feed, type LogEntry, type Look } from "./feed";
import { type LiveStream, pacedBytes } from "./stream";
import { pause } from "./timers";

/** What a process sends of the states of one room, in bytes a second: the larger the room, the rarer. */
const bytesPerSecond = 5_000_000;

/** The state of a room: read when somebody needs it, never by two at once, made into bytes once for everybody. */
class RoomState {
  readonly #read: () => Promise<Uint8Array>;
  readonly #apartMs: number;
  /** Those who get what changes. */
  readonly #streams: ReadonlySet<LiveStream>;
  #latest: Uint8Array | null = null;
  #reading: Promise<Uint8Array> | null = null;
  #next: Promise<Uint8Array> | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #announcing = false;
  #announceAt = 0;
  #closed = false;

  constructor(read: () => Promise<Uint8Array>, apartMs: number, streams: ReadonlySet<LiveStream>) {
    this.#read = read;
    this.#apartMs = apartMs;
    this.#streams = streams;
  }

  /** The state as read from now on: one reading serves all who ask before it begins. */
  fresh(): Promise<Uint8Array> {
    this.#next ??= this.#readNext(this.#reading);
    return this.#next;
  }

  /** Everybody gets it, soon. */
  changed(): void {
    if (this.#announcing || this.#closed) return;
    this.#announcing = true;
    void this.#announce();
  }

  /** What everybody else has; a stream that caught up may have missed it. */
  sendLatest(stream: LiveStream): void {
    if (this.#latest) stream.sendState(this.#latest);
  }

  close(): void {
    this.#closed = true;
  }

  async #readNext(before: Promise<Uint8Array> | null): Promise<Uint8Array> {
    // The one under way may have read before what its asker wants to see.
    await before?.catch(() => undefined);
    await pause(this.#readAt + this.#apartMs - performance.now());
    this.#readAt = performance.now();
    this.#reading = this.#read();
    this.#next = null;
    const state = await this.#reading;
    if (!this.#latest || !same(state, this.#latest)) this.#latest = state;
    return this.#latest;
  }

  async #announce(): Promise<void> {
    await pause(this.#announceAt - performance.now());
    // What changes from here on is announced again.
    this.#announcing = false;
    if (this.#closed) return;
    try {
      const state = await this.fresh();
      const bytes = state.byteLength * this.#streams.size;
      const apart = Math.max(this.#apartMs, (1000 * bytes) / bytesPerSecond);
      this.#announceAt = performance.now() + apart;
      for (const stream of this.#streams) stream.dropIfSlow(stream.sendState(state));
    } catch (error) {
      if (!this.#closed) log.warn({ err: error }, "the state of a room could not be read");
    }
  }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Entries read at once. */
const pageSize = 100;
/** Entries kept in memory: whoever comes back soon costs no query. */
const kept = 100;
/** A client that does not take what it missed within as long comes back for the rest. */
const patienceMs = 10_000;

const resetFrame = eventFrame("reset", {});

/**
 * One key of a feed in this process, as long as somebody follows it. What is new is read once, and given to everybody in
 * the order of the log. A stream that is behind reads by itself until it has what the room has, and in the same turn of
 * the event loop joins those that the room tells: nothing is lost between, and positions drop what would come twice.
 */
export class Room {
  readonly feed: Feed;
  readonly key: string;
  /** Everybody, those who are behind too. */
  readonly streams = new Set<LiveStream<Room>>();
  /** Those who have everything up to `position`. */
  readonly #current = new Set<LiveStream<Room>>();
  readonly #db: Db;
  readonly #state: RoomState;
  /** Resolves when the position is known. */
  readonly ready: Promise<void>;
  position = 0;
  #version = "";
  /** Everything after `#recentFrom`, up to `position`. */
  #recent: LogEntry[] = [];
  #recentFrom = 0;
  #primed = false;
  #pulling = false;
  #hinted = false;
  closed = false;

  /** @param subscribed resolves when hints come */
  constructor(feed: Feed, key: string, db: Db, { stateMs, subscribed }: RoomOptions) {
    this.feed = feed;
    this.key = key;
    this.#db = db;
    this.#state = new RoomState(() => feed.state(db, key), stateMs, this.#current);
    this.ready = this.#prime(subscribed);
    // Whoever waits for it is told; without anybody it is nobody's.
    this.ready.catch(() => undefined);
  }

  async #prime(subscribed: Promise<void>): Promise<void> {
    await subscribed;
    const look = (await this.feed.look(this.#db, [this.key])).get(this.key);
    this.position = look?.position ?? 0;
    this.#version = look?.version ?? "";
    this.#recentFrom = this.position;
    this.#primed = true;
    if (this.#hinted) void this.#pull();
  }

  /** The log has more. */
  hint(position: number): void {
    if (!this.#primed || position > this.position) void this.#pull();
  }

  /** The state changed. */
  stateChanged(): void {
    this.#state.changed();
  }

  /** What a look at the database found. */
  saw({ position, version }: Look): void {
    if (!this.#primed) return;
    this.hint(position);
    if (version === this.#version) return;
    this.#version = version;
    this.stateChanged();
  }

  /** A stream was opened: state, what it missed, what comes. */
  async begin(stream: LiveStream<Room>): Promise<void> {
    try {
      stream.sendState(await this.#state.fresh());
      if (stream.reset) {
        stream.send(resetFrame);
        stream.position = this.position;
      }
      await this.#catchUp(stream);
    } catch (error) {
      log.warn({ err: error }, "an event stream could not begin");
      // The client comes back, and begins where this one was.
      stream.end();
    }
  }

  remove(stream: LiveStream<Room>): void {
    this.streams.delete(stream);
    this.#current.delete(stream);
  }

  close(): void {
    this.closed = true;
    this.#state.close();
  }

  async #catchUp(stream: LiveStream<Room>): Promise<void> {
    while (!stream.over) {
      if (stream.position >= this.#recentFrom) {
        for (const entry of this.#recent) stream.deliver(entry);
        if (!stream.over) this.#current.add(stream);
        this.#state.sendLatest(stream);
        return;
      }
      const known = this.position;
      const page = await this.feed.after(this.#db, this.key, stream.position, pageSize);
      for (const entry of page) stream.deliver(entry);
      // What is not in a page that is not full is not there any more: old comings and goings are removed.
      if (page.length < pageSize) stream.position = Math.max(stream.position, known);
      await taken(stream);
    }
  }

  async #pull(): Promise<void> {
    this.#hinted = true;
    if (this.#pulling || !this.#primed) return;
    this.#pulling = true;
    try {
      let page: readonly LogEntry[] = [];
      while (!this.closed && (this.#hinted || page.length === pageSize)) {
        this.#hinted = false;
        page = await this.feed.after(this.#db, this.key, this.position, pageSize);
        for (const entry of page) this.#add(entry);
      }
    } catch (error) {
      // The next look finds the same.
      if (!this.closed) log.warn({ err: error }, "what is new could not be read");
    } finally {
      this.#pulling = false;
    }
  }

  #add(entry: LogEntry): void {
    this.position = entry.position;
    this.#recent.push(entry);
    if (this.#recent.length > kept) this.#recentFrom = this.#recent.shift()?.position ?? this.#recentFrom;
    for (const stream of this.#current) stream.dropIfSlow(stream.deliver(entry));
  }
}

export interface RoomOptions {
  readonly stateMs: number;
  readonly subscribed: Promise<void>;
}

/** Waits until the client took enough of what was sent to get more. */
async function taken(stream: LiveStream<Room>): Promise<void> {
  const until = performance.now() + patienceMs;
  while (!stream.over && stream.waiting() > pacedBytes) {
    if (performance.now() > until) return stream.end();
    await pause(20);
  }
}
