import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { acceptWaiting } from "@/lib/accept-waiting";
import { rateLimitKeys } from "@/lib/rate-limit";

/** Milliseconds; the largest body is 64 KiB. */
const patience = {
  /** Until the headers of a request have arrived, counted from its connection. */
  headersTimeout: 10_000,
  /** Until headers and body have. */
  requestTimeout: 30_000,
  /** How often both are checked. */
  connectionsCheckingInterval: 2_000,
};
/** Connections at once: of all clients, and of one address. A browser has six, a busy agent some dozens. */
const most = { connections: 4_096, perAddress: 128 };

export interface RunningServer {
  url: string;
  port: number;
  /** Stops accepting, waits for open requests, then resolves. */
  close(): Promise<void>;
}

/**
 * Serves a Hono application. Port 0 takes a free one.
 * @param address `behindProxies`: connections are the proxies', so one address may have any number
 * @throws Error (EADDRINUSE) when the port is taken
 */
export async function listen(
  app: Hono,
  address: { port: number; host: string; behindProxies?: boolean },
  limits: Partial<typeof patience & typeof most> = {},
): Promise<RunningServer> {
  const { connections, perAddress, ...times } = { ...most, ...patience, ...limits };
  // The listener closes a connection half a second after an answer that came before the body: at once, the client would
  // lose the answer with the connection.
  const server = createServer(times, getRequestListener(app.fetch));
  server.maxConnections = connections;
  if (!address.behindProxies) limitPerAddress(server, perAddress);
  // A connection whose last answer comes after `close` is idle only then.
  server.on("request", (_, response) =>
    response.once("close", () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    }),
  );
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
      await acceptWaiting(server);
      const closed = once(server, "close");
      server.close();
      // Keep-alive connections without a request would hold the server open for their whole idle time.
      server.closeIdleConnections();
      await closed;
    },
  };
}

/** Closes connections of an address above its limit. */
function limitPerAddress(server: Server, limit: number): void {
  const open = new Map<string, number>();
  server.on("connection", (socket) => {
    const { key } = rateLimitKeys(socket.remoteAddress ?? "unknown");
    const count = (open.get(key) ?? 0) + 1;
    open.set(key, count);
    socket.once("close", () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
    if (count > limit) socket.destroy();
  });
}
