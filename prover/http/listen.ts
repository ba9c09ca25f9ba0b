import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";

/** A request has arrived by then, headers and body; the largest body is 64 KiB. */
const requestMs = 30_000;

export interface RunningServer {
  url: string;
  port: number;
  /** Stops accepting, waits for open requests, then resolves. */
  close(): Promise<void>;
}

/**
 * Serves a Hono application. Port 0 takes a free one.
 * @throws Error (EADDRINUSE) when the port is taken
 */
export async function listen(app: Hono, address: { port: number; host: string }): Promise<RunningServer> {
  // What is answered before its body has come is cut off half a second later, by the listener: not at once, or the
  // client would lose the answer with the connection.
  const server = createServer(getRequestListener(app.fetch));
  server.requestTimeout = requestMs;
  server.listen(address.port, address.host);
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("not listening on a TCP port");
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${bound.port}`,
    port: bound.port,
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      // Keep-alive connections without a request would hold the server open for their whole idle time.
      server.closeIdleConnections();
      await closed;
    },
  };
}
