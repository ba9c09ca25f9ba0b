import type { EventStream, FrameSink } from "@/lib/contract";
import type { LogEntry } from "./feed";

/** A client for which more bytes than these wait is too slow: it is sent away and comes back where it was. */
const slowBytes = 256 * 1024;
/** What a client that catches up may have waiting before it gets more. */
export const pacedBytes = 64 * 1024;

const encoder = new TextEncoder();
/** Not all at the same moment: clients of a process that ends would come back as one. */
const retryFrames = [1000, 1500, 2000, 2500, 3000, 3500, 4000].map((ms) =>
  encoder.encode(`retry: ${ms}\n\n`),
);
/** A comment: clients pass it over, and we learn how many bytes wait. */
const probe = encoder.encode(":\n\n");

let turn = 0;
function retryFrame(): Uint8Array {
  turn = (turn + 1) % retryFrames.length;
  return retryFrames[turn] ?? probe;
}

/** Who is told of the life of a stream. */
export interface StreamOwner<R> {
  opened(stream: LiveStream<R>): void;
  /** Called once, however the stream ended. */
  over(stream: LiveStream<R>): void;
}

/**
 * One event stream of one client. There are thousands: it holds what it needs and nothing else, no timer, no closure,
 * no queue; frames are shared with all the others.
 */
export class LiveStream<R = unknown> implements EventStream {
  readonly room: R;
  readonly userId: string;
  readonly #owner: StreamOwner<R>;
  #awaited = false;
  #sink: FrameSink | null = null;
  over = false;
  /** Ended because its right to be here ended. */
  refused = false;
  /** Of sessions(id): goes on when its token is renewed. */
  sessionId = "";
  /** Its row, where the feed knows who is connected. */
  connectionId: string | null = null;
  /** Everything up to here was sent. */
  position = 0;
  /** The client came with an id that is not known any more. */
  reset = false;
  /** What was sent last of the room's state. */
  state: Uint8Array | null = null;
  /** When it is pinged; see Pings. */
  slot = -1;

  constructor(room: R, userId: string, owner: StreamOwner<R>) {
    this.room = room;
    this.userId = userId;
    this.#owner = owner;
  }

  /** Its turn among the pings. One that nobody opened within a round is nobody's. */
  ping(frame: Uint8Array): void {
    if (this.#sink) {
      // The state comes first.
      if (this.state) this.dropIfSlow(this.send(frame));
    } else if (this.#awaited) this.end();
    else this.#awaited = true;
  }

  open(sink: FrameSink): void {
    // Its right to be here ended between the answer's head and now.
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

  /** Sends an entry that was not sent yet. @returns how many bytes wait */
  deliver({ position, frame }: LogEntry): number {
    if (position <= this.position) return 0;
    this.position = position;
    return this.send(frame);
  }

  /** @returns how many bytes wait */
  send(frame: Uint8Array): number {
    return this.over || !this.#sink ? 0 : this.#sink.send(frame);
  }

  sendState(state: Uint8Array): number {
    if (state === this.state) return 0;
    this.state = state;
    return this.send(state);
  }

  /** How many bytes wait. */
  waiting(): number {
    return this.send(probe);
  }

  /** Sends the client away when it is too slow. @param waiting what the last send returned */
  dropIfSlow(waiting: number): void {
    if (waiting > slowBytes) this.end();
  }

  /** Ends the stream after what was sent; the client comes back by itself unless it is refused. */
  end(): void {
    if (this.over) return;
    const sink = this.#sink;
    this.send(retryFrame());
    this.#finish();
    sink?.end();
  }

  /** Ends it because its right to be here ended. */
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
