import type { IncomingMessage, ServerResponse } from "node:http";
import type { EventStream, FrameSink } from "@/lib/contract";
import type { EventRoute } from "@/lib/http/endpoint";
import { streamOf } from "@/lib/http/events";
import type { RouteHandler } from "@/lib/http/reply";
import { log } from "@/lib/log";
import type { RequestHandler } from "@/lib/runtime/process";
import { headersOf, sendHead, sendReply } from "./node-answers";

/** How long a client may take to read the end of its stream before it is cut off. */
const LINGER_MS = 10_000;

/**
 * Serves event streams on Node's own responses, bypassing Next. Through a route handler's web stream each subscriber
 * costs 70 KiB and each delivery 57 µs; a bare Node server needs about 14 KiB and 10 µs (docs/live.md).
 */
export function eventStreams(routes: readonly EventRoute[]): RequestHandler {
  const paths = routes.map((route) => ({ ...route, pattern: patternOf(route.op.path) }));
  return (request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    for (const { pattern, handle } of request.method === "GET" ? paths : []) {
      const found = pattern.exec(path);
      if (!found) continue;
      const url = new URL(`http://localhost${path}?${query}`);
      void carry(handle, { request, response, url, params: { ...found.groups } });
      return true;
    }
    return false;
  };
}

/** Returns a pattern for a path like `/api/topics/{topicId}/chat`; ids never contain escapes. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[\\w-]+)")}/?$`);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
}

async function carry(handle: RouteHandler, { request, response, url, params }: Exchange): Promise<void> {
  try {
    const asked = new Request(url, { headers: headersOf(request) });
    const answer = await handle(asked, { params: Promise.resolve(params) });
    const stream = streamOf(answer);
    if (stream) {
      sendHead(response, answer);
      // Node keeps the request as long as its response: thousands of tokens and cookies that nothing reads again.
      request.headers = {};
      request.rawHeaders = [];
      openOn(response, stream);
    } else await sendReply(response, answer);
  } catch (error) {
    log.error({ err: error }, "event stream failed");
    response.destroy();
  }
}

function openOn(response: ServerResponse, stream: EventStream): void {
  // The client left while the stream was being opened, before the listener below.
  if (response.destroyed || response.closed) {
    stream.closed();
    return;
  }
  response.on("close", () => stream.closed());
  response.flushHeaders();
  stream.open(new ResponseSink(response));
}

class ResponseSink implements FrameSink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  send(frame: Uint8Array): number {
    if (this.#response.writableEnded || this.#response.destroyed) return 0;
    this.#response.write(frame);
    return this.#response.writableLength;
  }

  end(): void {
    if (this.#response.writableEnded) return;
    this.#response.end();
    setTimeout(() => this.#response.destroy(), LINGER_MS).unref();
  }
}
