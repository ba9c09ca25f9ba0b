import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import Negotiator from "negotiator";
import type { EventStream, FrameSink } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { isEventStream } from "@/lib/http/events";
import type { BodyReader, HeaderReader } from "@/lib/http/incoming";
import type { Reply } from "@/lib/http/reply";
import { securityHeaders } from "@/lib/http/security-headers";
import { isSharedText, SharedText } from "@/lib/runtime/guest-answers";

/** Reads the headers of a Node request. */
export function headersOf({ headers }: IncomingMessage): HeaderReader {
  const get = (name: string) => {
    const value = headers[name];
    // Of the headers that Node does not join only `set-cookie` is a list, which no request has.
    return value === undefined ? null : String(value);
  };
  return { get, has: (name) => headers[name] !== undefined };
}

/** Reads the body of a Node request; null if it has none (RFC 9112, 6.3). */
export function bodyOf(request: IncomingMessage): BodyReader | null {
  const { headers } = request;
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return null;
  let stopWaiting = () => {};
  const changed = () =>
    new Promise<void>((resolve) => {
      stopWaiting = () => {
        for (const event of ENDINGS) request.off(event, stopWaiting);
        resolve();
      };
      for (const event of ENDINGS) request.on(event, stopWaiting);
    });
  return {
    async read() {
      for (;;) {
        const bytes: unknown = request.read();
        if (bytes instanceof Uint8Array) return bytes;
        if (request.readableEnded) return null;
        if (request.destroyed) throw new Refusal("invalid_request", { message: "The body ended early." });
        await changed();
      }
    },
    async cancel() {
      stopWaiting();
    },
  };
}

/** What may follow when there is nothing to read. */
const ENDINGS = ["readable", "end", "error", "close"] as const;

const common = securityHeaders.map(({ key, value }): [string, string] => [key, value]);

/** Writes the head of a response, with the headers of every response. */
function sendHead(response: ServerResponse, { status, headers }: Omit<Reply, "body">): void {
  // As a list: the response keeps only its text instead of a table for as long as a stream is open.
  response.writeHead(status, [...common.filter(([key]) => !headers.has(key)), ...headers].flat());
}

/** Shorter bodies hardly shrink. */
const MIN_COMPRESSED_BYTES = 1024;

/** Sends a reply; its head alone in response to HEAD. */
export async function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
): Promise<void> {
  const { body, headers } = reply;
  if (isEventStream(body)) return sendEvents(request, response, reply, body);
  if (body instanceof ReadableStream) {
    sendHead(response, reply);
    if (request.method !== "HEAD") return await sendStream(response, body);
    await body.cancel();
    response.end();
    return;
  }
  const bytes = body instanceof Uint8Array ? body : await textBytes(request, headers, body);
  headers.set("content-length", String(bytes.length));
  sendHead(response, reply);
  response.end(request.method === "HEAD" ? undefined : bytes);
}

/** Returns the bytes of a text, compressed where the client accepts it and it is worth it. */
async function textBytes(
  request: IncomingMessage,
  headers: Headers,
  body: string | SharedText,
): Promise<Uint8Array> {
  headers.append("vary", "Accept-Encoding");
  const text = isSharedText(body) ? body : new SharedText(body);
  const bytes = Buffer.from(text.text);
  if (bytes.length < MIN_COMPRESSED_BYTES || new Negotiator(request).encodings(["gzip"]).length === 0) {
    return bytes;
  }
  headers.set("content-encoding", "gzip");
  return await text.gzipped();
}

async function sendStream(response: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  // A read that waits for the next part would go on waiting after the client has left.
  const cancel = () => void reader.cancel().catch(() => {});
  response.once("close", cancel);
  await pipeline(async function* parts() {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  }, response);
}

/** How long a client may take to read the end of its stream before it is cut off. */
const LINGER_MS = 10_000;

function sendEvents(
  request: IncomingMessage,
  response: ServerResponse,
  head: Omit<Reply, "body">,
  stream: EventStream,
): void {
  sendHead(response, head);
  // Node keeps the request as long as its response: thousands of tokens and cookies that nothing reads again.
  const { method } = request;
  request.headers = {};
  request.rawHeaders = [];
  // The client may have left while the stream was being opened, before the listener below.
  if (method === "HEAD" || response.destroyed || response.closed) {
    response.end();
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
