import type { EventStream, FrameSink } from "@/lib/contract";
import type { LogEntry } from "./index";

/** A client with more buffered bytes is too slow: it is disconnected and resumes where it was. */
const SLOW_BYTES = 256 * 1024;
/** Buffered bytes above which a client that catches up has to read first. */
export const PACED_BYTES = 64 * 1024;

const encoder = new TextEncoder();
/** Spread out, so that the clients of a stopping process do not all reconnect at once. */
const retryFrames = [1000, 1500, 2000, 2500, 3000, 3500, 4000].map((ms) =>
  encoder.encode(`retry: ${ms}\n\n`),
);
/** A comment, which clients ignore and whose result tells how many bytes are buffered. */
const probe = encoder.encode(":\n\n");

let turn = 0;
function retryFrame(): Uint8Array {
  turn = (turn + 1) % retryFrames.length;
  return retryFrames[turn] ?? probe;
}

export interface StreamOwner<R> {
  opened(stream: LiveStream<R>): void;
  /** Called once, however the stream ended. */
  over(stream: LiveStream<R>): void;
}

/** One client's event stream. There are thousands, so it holds no timer, closure or queue, and frames are shared. */
export class LiveStream<R = unknown> implements EventStream {
  #awaited = false;
  #pings = 0;
  #sink: FrameSink | null = null;
  over = false;
  /** Ended because the user lost the right to follow. */
  refused = false;
  /** Of sessions(id); stays the same when the token is renewed. */
  sessionId = "";
  /** Its row, where the feed records who is connected. */
  connectionId: string | null = null;
  position = 0;
  /** The client's last event id is unknown. */
  reset = false;
  state: Uint8Array | null = null;
  /** Its slot in the round of pings; see Pings. */
  slot = -1;
  readonly #owner: StreamOwner<R>;

  constructor(
    readonly room: R,
    readonly userId: string,
    owner: StreamOwner<R>,
  ) {
    this.#owner = owner;
  }

  /** Sends a ping. A stream that no client opened within a round is ended, and so is one instead of its last ping. */
  ping(frame: Uint8Array, last: number): void {
    if (this.#sink) {
      this.#pings += 1;
      // The state comes first.
      if (this.#pings >= last) this.end();
      else if (this.state) this.dropIfSlow(this.send(frame));
    } else if (this.#awaited) this.end();
    else this.#awaited = true;
  }

  open(sink: FrameSink): void {
    // The user lost the right to follow after the response head.
    if (this.over) {
      sink.end();
      return;
    }
    this.#sink = sink;
    this.send(retryFrame());
    this.#owner.opened(this);
  }

  closed(): void {
    this.#finish();
  }

  /** Sends an entry that was not sent yet. @returns the number of bytes still buffered */
  deliver({ position, frame }: LogEntry): number {
    if (position <= this.position) return 0;
    this.position = position;
    return this.send(frame);
  }

  /** @returns the number of bytes still buffered */
  send(frame: Uint8Array): number {
    return this.over || !this.#sink ? 0 : this.#sink.send(frame);
  }

  sendState(state: Uint8Array): number {
    if (state === this.state) return 0;
    this.state = state;
    return this.send(state);
  }

  /** Returns how many bytes are buffered. */
  waiting(): number {
    return this.send(probe);
  }

  /** Disconnects a client that is too slow. @param waiting result of the last send */
  dropIfSlow(waiting: number): void {
    if (waiting > SLOW_BYTES) this.end();
  }

  /** Ends the stream after the frames already sent; the client reconnects unless it is refused. */
  end(): void {
    if (this.over) return;
    const sink = this.#sink;
    this.send(retryFrame());
    this.#finish();
    sink?.end();
  }

  /** Ends the stream because the user lost the right to follow. */
  refuse(): void {
    this.refused = true;
    this.end();
  }

  #finish(): void {
    if (this.over) return;
    this.over = true;
    this.#sink = null;
    this.#owner.over(this);
  }
}
