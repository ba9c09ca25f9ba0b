import type { EventStream, FrameSink } from "@/lib/contract";

/** A web stream buffers everything; the event stream itself decides how many bytes are too many. */
const queue: QueuingStrategy<Uint8Array> = new ByteLengthQueuingStrategy({ highWaterMark: 0 });

/**
 * Makes the response head of an event stream, which proxies may neither buffer nor change. Its body carries the
 * frames where the response is sent as a web Response; lib/server/event-streams.ts uses the stream itself.
 */
export function eventsReply(answer: unknown, requestId: string, given: Headers): Response {
  if (!isEventStream(answer)) throw new Error("the handler of an event operation returned no event stream");
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

const streams = new WeakMap<Response, EventStream>();

/** Returns the stream behind a response of `eventsReply`, for a server that does not use its body. */
export function streamOf(response: Response): EventStream | undefined {
  return streams.get(response);
}

/** Opens the stream when its first byte is requested. */
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
