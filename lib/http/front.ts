import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { securityHeaders } from "./security-headers";

/** @returns whether it answers this request itself */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Puts something in front of Next's request listener. Next does not hand out its server: it is known from the first
 * request it gets. Every request that is not answered goes on to Next untouched. Where Next has no such server
 * (serverless platforms), nothing happens.
 */
export function inFrontOfNext(front: Front): void {
  const taken = new WeakSet<Server>();
  diagnostics.subscribe("http.server.request.start", (message) => {
    if (!isRequestStart(message) || taken.has(message.server)) return;
    const { server } = message;
    taken.add(server);
    const listeners = server.listeners("request");
    server.removeAllListeners("request");
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      if (front(request, response)) return;
      for (const listener of listeners) listener.call(server, request, response);
    });
  });
}

/** The headers of a request of Node's server, as route handlers get them. */
export function headersOf({ headers }: IncomingMessage): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const line of [value ?? []].flat()) given.append(name, line);
  }
  return given;
}

/** Writes the head of an answer, with the headers that everything has. */
export function sendHead(response: ServerResponse, { status, headers }: Response): void {
  // As a list: the response keeps only the text of it, not a table for as long as a stream is open.
  const common = securityHeaders.filter(({ key }) => !headers.has(key));
  response.writeHead(status, [...common.map(({ key, value }) => [key, value]), ...headers].flat());
}

/** Sends an answer whole. */
export async function sendReply(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  sendHead(response, answer);
  response.end(body);
}

function isRequestStart(message: unknown): message is { server: Server } {
  return typeof message === "object" && message !== null && "server" in message;
}
