import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db } from "@/db/schema";
import { log } from "@/lib/log";
import { eventFrame, type Feed, type LogEntry, type Look } from "./index";
import { type LiveStream, PACED_BYTES } from "./stream";
import { pause } from "./timers";

/** Bytes per second that a process sends of one room's states: the larger the room, the fewer. */
const BYTES_PER_SECOND = 5_000_000;

/** The state of a room: read on demand, never twice at once, and encoded once for everyone. */
class RoomState {
  #latest: Uint8Array | null = null;
  #reading: Promise<Uint8Array> | null = null;
  #next: Promise<Uint8Array> | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #announcing = false;
  #announceAt = 0;
  #closed = false;
  readonly #read: () => Promise<Uint8Array>;
  readonly #apartMs: number;
  readonly #streams: ReadonlySet<LiveStream>;

  constructor(read: () => Promise<Uint8Array>, apartMs: number, streams: ReadonlySet<LiveStream>) {
    this.#read = read;
    this.#apartMs = apartMs;
    this.#streams = streams;
  }

  /** Returns a state read from now on: one read serves all who ask before it begins. */
  fresh(): Promise<Uint8Array> {
    this.#next ??= this.#readNext(this.#reading);
    return this.#next;
  }

  /** Sends the new state to everyone soon. */
  changed(): void {
    if (this.#announcing || this.#closed) return;
    this.#announcing = true;
    void this.#announce();
  }

  /** Sends the state that everyone else has; a stream that caught up may have missed it. */
  sendLatest(stream: LiveStream): void {
    if (this.#latest) stream.sendState(this.#latest);
  }

  close(): void {
    this.#closed = true;
  }

  async #readNext(before: Promise<Uint8Array> | null): Promise<Uint8Array> {
    // The current read may have begun before the change its caller wants to see.
    await before?.catch(() => undefined);
    await pause(this.#readAt + this.#apartMs - performance.now());
    this.#readAt = performance.now();
    this.#reading = this.#read();
    this.#next = null;
    const state = await this.#reading;
    if (!this.#latest || Buffer.compare(state, this.#latest) !== 0) this.#latest = state;
    return this.#latest;
  }

  async #announce(): Promise<void> {
    await pause(this.#announceAt - performance.now());
    // Later changes are announced again.
    this.#announcing = false;
    if (this.#closed) return;
    try {
      const state = await this.fresh();
      const bytes = state.byteLength * this.#streams.size;
      const apart = Math.max(this.#apartMs, (1000 * bytes) / BYTES_PER_SECOND);
      this.#announceAt = performance.now() + apart;
      for (const stream of this.#streams) stream.dropIfSlow(stream.sendState(state));
    } catch (error) {
      if (!this.#closed) log.warn({ err: error }, "could not read the state of a room");
    }
  }
}

const PAGE_SIZE = 100;
/** Entries kept in memory: a quick reconnect costs no query. */
const KEPT_ENTRIES = 100;
/** How long a client may take to read what it missed; then it must reconnect for the rest. */
const PATIENCE_MS = 10_000;

/** Streams that are served in one turn of the event loop. */
const PER_TURN = 500;

const resetFrame = eventFrame("reset", {});

interface RoomOptions {
  readonly stateMs: number;
  readonly calmMs: number;
  /** Resolves when hints arrive. */
  readonly subscribed: Promise<void>;
}

/**
 * One key of a feed in this process, while it has followers. New entries are read once and sent to everyone in the
 * order of the log. A stream that is behind reads by itself until it has what the room has, and joins the others in
 * the same turn of the event loop: nothing is lost in between, and positions drop duplicates.
 */
export class Room {
  /** All streams, including those that are behind. */
  readonly streams = new Set<LiveStream<Room>>();
  /** Streams that have everything up to `position`. */
  readonly #current = new Set<LiveStream<Room>>();
  readonly #state: RoomState;
  /** Resolves when the position is known. */
  readonly ready: Promise<void>;
  position = 0;
  #version = "";
  /** All entries after `#recentFrom`, up to `position`. */
  #recent: LogEntry[] = [];
  #recentFrom = 0;
  #primed = false;
  #pulling = false;
  #hinted = false;
  /** Last position that a calm hint named, and when it may be read. */
  #calmPosition = 0;
  #calmAt = 0;
  #calming = false;
  closed = false;
  readonly #db: Db;
  readonly #calmMs: number;

  constructor(
    readonly feed: Feed,
    readonly key: string,
    db: Db,
    { stateMs, calmMs, subscribed }: RoomOptions,
  ) {
    this.#db = db;
    this.#calmMs = calmMs;
    this.#state = new RoomState(() => feed.state(db, key), stateMs, this.#current);
    this.ready = this.#prime(subscribed);
    // Callers of `ready` get the error; without any, it must not be unhandled.
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

  /**
   * Handles a hint that the log may have new entries.
   * @param calm whether it can wait a little: the round then has the newest change of each message, however many there were
   */
  hint(position: number, calm = false): void {
    if (this.#primed && position <= this.position) return;
    if (!calm) return void this.#pull();
    this.#calmPosition = Math.max(this.#calmPosition, position);
    if (this.#calming) return;
    this.#calming = true;
    void this.#pullCalmly();
  }

  stateChanged(): void {
    this.#state.changed();
  }

  /** Handles the result of a poll. */
  saw({ position, version }: Look): void {
    if (!this.#primed) return;
    this.hint(position);
    if (version === this.#version) return;
    this.#version = version;
    this.stateChanged();
  }

  /** Starts a stream: the state, what it missed, then new entries. */
  async begin(stream: LiveStream<Room>): Promise<void> {
    try {
      stream.sendState(await this.#state.fresh());
      if (stream.reset) {
        stream.send(resetFrame);
        stream.position = this.position;
      }
      await this.#catchUp(stream);
    } catch (error) {
      log.warn({ err: error }, "could not start an event stream");
      // The client reconnects and continues from its last event.
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
      const page = await this.feed.after(this.#db, this.key, stream.position, PAGE_SIZE);
      for (const entry of page) stream.deliver(entry);
      // Entries missing from an incomplete page are gone: old joins and leaves are deleted.
      if (page.length < PAGE_SIZE) stream.position = Math.max(stream.position, known);
      await taken(stream);
    }
  }

  async #pullCalmly(): Promise<void> {
    await pause(this.#calmAt - performance.now());
    // Later hints begin another round.
    this.#calming = false;
    // Another hint may have had it read meanwhile.
    if (this.closed || (this.#primed && this.#calmPosition <= this.position)) return;
    this.#calmAt = performance.now() + this.#calmMs;
    await this.#pull();
  }

  async #pull(): Promise<void> {
    this.#hinted = true;
    if (this.#pulling || !this.#primed) return;
    this.#pulling = true;
    try {
      let page: readonly LogEntry[] = [];
      while (!this.closed && (this.#hinted || page.length === PAGE_SIZE)) {
        this.#hinted = false;
        page = await this.feed.after(this.#db, this.key, this.position, PAGE_SIZE);
        await this.#add(page);
      }
    } catch (error) {
      // The next poll finds the same entries.
      if (!this.closed) log.warn({ err: error }, "could not read new entries");
    } finally {
      this.#pulling = false;
    }
  }

  /** Sends new entries to everyone; those that arrived together as one piece. */
  async #add(page: readonly LogEntry[]): Promise<void> {
    const last = page.at(-1);
    if (!last) return;
    const before = this.position;
    this.position = last.position;
    if (page.some(({ rewrites }) => rewrites)) {
      // The page itself was read after the change.
      this.#recent = [];
      this.#recentFrom = before;
    }
    this.#recent.push(...page);
    while (this.#recent.length > KEPT_ENTRIES)
      this.#recentFrom = this.#recent.shift()?.position ?? this.#recentFrom;
    const whole = page.length === 1 ? last.frame : Buffer.concat(page.map(({ frame }) => frame));
    let sent = 0;
    for (const stream of this.#current) {
      if (stream.position === before) stream.dropIfSlow(stream.deliver({ ...last, frame: whole }));
      else for (const entry of page) stream.dropIfSlow(stream.deliver(entry));
      sent += 1;
      // Requests are answered in between. What arrives meanwhile is the next piece.
      if (sent % PER_TURN === 0) await nextTurn();
    }
  }
}

/** Waits until the client has read enough to get more. */
async function taken(stream: LiveStream<Room>): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (!stream.over && stream.waiting() > PACED_BYTES) {
    if (performance.now() > until) return stream.end();
    await pause(20);
  }
}
