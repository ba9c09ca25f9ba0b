import type { EventStream } from "@/lib/contract";

/** An event stream as an answer, in headers that keep proxies from holding it back or changing it. */
export function eventsReply(answer: unknown, requestId: string, given: Headers): Response {
  if (!isEventStream(answer)) throw new Error("the handler of an event stream returned none");
  const headers = new Headers(given);
  headers.set("content-type", "text/event-stream; charset=utf-8");
  headers.set("cache-control", "no-cache, no-transform");
  headers.set("x-accel-buffering", "no");
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
  return new Response(answer.frames, { status: 200, headers });
}

function isEventStream(value: unknown): value is EventStream {
  return typeof value === "object" && value !== null && "frames" in value;
}
