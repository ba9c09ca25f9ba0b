import { log } from "@/lib/log";
import type { LiveStream } from "./stream";
import { pause } from "./timers";

/** What a process sends of the states of one room, in bytes a second: the larger the room, the rarer. */
const bytesPerSecond = 5_000_000;

/** The state of a room: read when somebody needs it, never by two at once, made into bytes once for everybody. */
export class RoomState {
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
