import { eventFrame } from "./feed";
import type { Room } from "./room";
import type { LiveStream } from "./stream";
import { every } from "./timers";

const slots = 30;
const frame = eventFrame("ping", {});

/** Pings every stream once a round. One timer for all; each tick is for a thirtieth of them. */
export class Pings {
  readonly #slots = Array.from({ length: slots }, () => new Set<LiveStream<Room>>());
  readonly #stop: () => void;
  #next = 0;
  #turn = 0;

  constructor(roundMs: number) {
    this.#stop = every(roundMs / slots, () => this.#tick());
  }

  /** From now on it is pinged, once a round. */
  add(stream: LiveStream<Room>): void {
    this.#next = (this.#next + 1) % slots;
    stream.slot = this.#next;
    this.#slots[stream.slot]?.add(stream);
  }

  remove(stream: LiveStream<Room>): void {
    this.#slots[stream.slot]?.delete(stream);
  }

  stop(): void {
    this.#stop();
  }

  #tick(): void {
    this.#turn = (this.#turn + 1) % slots;
    for (const stream of this.#slots[this.#turn] ?? []) stream.ping(frame);
  }
}
