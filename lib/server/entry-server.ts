import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { stampAddress } from "@/lib/http/address";
import type { AppParts, EntryServer, RequestHandler } from "@/lib/runtime/process";

export interface ServerParts {
  /** Asked after the handlers of the app: the static files of the build. */
  readonly files?: RequestHandler;
  /** Answers whatever nobody else does: Next. */
  readonly rest: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Takes WebSockets; only hot reload has any. Without it the wish to upgrade is ignored (RFC 9110, 7.8). */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Told of what a handler threw. */
  readonly failed: (error: unknown) => void;
  /** Longest wait for requests under way when the server stops, in milliseconds. */
  readonly graceMs: number;
}

/**
 * The HTTP server in front of Next. Each request gets its socket's address, then the first of these that wants it: the
 * handlers of the app (request guard, event streams), static files, Next.
 */
export function createEntryServer(parts: ServerParts): EntryServer & {
  /** Takes requests once the app is attached. @throws what `listen` of Node's server emits, as EADDRINUSE */
  listen(port: number, host: string): Promise<http.Server>;
  /** Ends in order: no new connections, `stop` of the app, requests under way, `close` of the app. */
  stop(): Promise<void>;
} {
  let app: AppParts | undefined;
  let nowAttached = () => {};
  const attached = new Promise<void>((resolve) => {
    nowAttached = resolve;
  });

  const server = http.createServer(async (request, response) => {
    try {
      stampAddress(request);
      if (app?.handlers.some((handler) => handler(request, response))) return;
      if (parts.files?.(request, response)) return;
      await parts.rest(request, response);
    } catch (error) {
      parts.failed(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  });
  const { upgrade } = parts;
  if (upgrade) {
    server.on("upgrade", (request, socket, head) => {
      stampAddress(request);
      upgrade(request, socket, head);
    });
  }

  return {
    attach(given) {
      app = given;
      nowAttached();
    },
    async listen(port, host) {
      await attached;
      return await new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => resolve(server));
      });
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      await app?.stop();
      // Also a connection whose last answer comes from here on would be kept for another request.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const grace = new Promise((resolve) => setTimeout(resolve, parts.graceMs).unref());
      await Promise.race([closed, grace]);
      clearInterval(idle);
      await app?.close();
    },
  };
}
