import type { EventStream, FrameSink } from "@/lib/contract";

/** A web stream buffers everything; the event stream itself decides how many bytes are too many. */
const queue: QueuingStrategy<Uint8Array> = new ByteLengthQueuingStrategy({ highWaterMark: 0 });

/** Returns the frames of a stream as a web stream, which opens it when its first byte is requested. */
export function webBody(stream: EventStream): ReadableStream<Uint8Array> {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let opened = false;
  let over = false;
  const close = () => {
    if (over) return;
    over = true;
    stream.closed();
  };
  const sink: FrameSink = {
    send(frame) {
      if (over) return 0;
      controller.enqueue(frame);
      return Math.max(0, -(controller.desiredSize ?? 0));
    },
    end() {
      if (over) return;
      controller.close();
      close();
    },
  };
  return new ReadableStream(
    {
      start(given) {
        controller = given;
      },
      pull() {
        if (opened) return;
        opened = true;
        stream.open(sink);
      },
      cancel: close,
    },
    queue,
  );
}

export function isEventStream(value: unknown): value is EventStream {
  return typeof value === "object" && value !== null && "open" in value && "closed" in value;
}
