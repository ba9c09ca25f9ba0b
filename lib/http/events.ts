import type { EventStream, FrameSink } from "@/lib/contract";

/** Bytes that a web stream holds for its reader; how many are too many is the stream's own decision. */
const queue: QueuingStrategy<Uint8Array> = new ByteLengthQueuingStrategy({ highWaterMark: 0 });

/**
 * The head of an event stream: proxies neither hold it back nor change it. Its body carries the frames wherever a web
 * Response is what is sent; lib/server/event-streams.ts takes the stream itself.
 */
export function eventsReply(answer: unknown, requestId: string, given: Headers): Response {
  if (!isEventStream(answer)) throw new Error("the handler of an event stream returned none");
  const headers = new Headers(given);
  headers.set("content-type", "text/event-stream; charset=utf-8");
  headers.set("cache-control", "no-cache, no-transform");
  headers.set("x-accel-buffering", "no");
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
  const response = new Response(webBody(answer), { status: 200, headers });
  streams.set(response, answer);
  return response;
}

/** Streams by the answers that would carry them. */
const streams = new WeakMap<Response, EventStream>();

/** The stream of an answer of `eventsReply`, for whoever carries it by other means than its body. */
export function streamOf(response: Response): EventStream | undefined {
  return streams.get(response);
}

/** Opens the stream when its first byte is asked for. */
function webBody(stream: EventStream): ReadableStream<Uint8Array> {
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

function isEventStream(value: unknown): value is EventStream {
  return typeof value === "object" && value !== null && "open" in value && "closed" in value;
}
