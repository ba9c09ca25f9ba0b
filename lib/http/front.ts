import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";

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

function isRequestStart(message: unknown): message is { server: Server } {
  return typeof message === "object" && message !== null && "server" in message;
}
