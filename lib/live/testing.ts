import { createParser } from "eventsource-parser";
import type { Cache } from "@/lib/cache";
import type { EventStream, FrameSink } from "@/lib/contract";

/** A cache that holds nothing and tells nobody, and can come back from being away. */
export function noCache(): Cache & { restore(): void } {
  const restored = new Set<() => void>();
  return {
    get: async () => null,
    set: async () => true,
    increment: async () => ({ value: 1, expiresInSeconds: 1 }),
    delete: async () => undefined,
    take: async () => null,
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

/** A client of a stream whose messages have positions. One that does not take leaves every byte waiting. */
export class Client implements FrameSink {
  readonly positions: number[] = [];
  states = 0;
  bytes = 0;
  /** The last frame. */
  last = "";
  isOver = false;
  readonly ended: Promise<void>;
  readonly #stream: EventStream;
  #takes: boolean;
  #end = () => {};
  #wake = () => {};
  readonly #parser = createParser({
    onEvent: ({ event, data }) => {
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
    this.#parser.feed(this.last);
    this.#wake();
    return this.#takes ? 0 : this.bytes;
  }

  end(): void {
    this.isOver = true;
    this.#end();
    this.#stream.closed();
  }

  /** Goes away. */
  leave(): void {
    this.isOver = true;
    this.#stream.closed();
  }

  /** Takes everything from here on. */
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
