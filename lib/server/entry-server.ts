import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { buffer } from "node:stream/consumers";
import { acceptWaiting } from "@/lib/accept-waiting";
import { stampAddress } from "@/lib/http/address";
import { markForGuests, unmarkForGuests } from "@/lib/http/guest-mark";
import { requestIdOf } from "@/lib/http/reply";
import type { AppParts, EntryServer, RequestHandler } from "@/lib/runtime/process";
import { noteRequest } from "@/lib/runtime/requests";
import { headersOf } from "./node-answers";

/** Paths of routes, which note their own requests. */
const ROUTES =
  /^\/(api|cron|oidc|uploads|proving|cards|sitemaps)(\/|$)|^\/(topics\/[^/]+\/|search\/)?(feed|atom)\.xml$|^\/sitemap\.xml$/;
const FILES =
  /^\/(_next|icons|worker)\/|^\/(icon\.svg|apple-icon\.png|favicon\.ico|manifest\.webmanifest|robots\.txt|gate\.js)$/;

/** Returns what kind of request a path is, unless its route notes it. */
export function kindOf(path: string): "page" | "static" | null {
  if (FILES.test(path)) return "static";
  return ROUTES.test(path) ? null : "page";
}

/** Counts and logs a page or file of Next once it is sent. Pages get the request's id. */
function noteAtEnd(request: IncomingMessage, response: ServerResponse, startedAt: number): void {
  const operation = kindOf((request.url ?? "").split("?", 1)[0] ?? "");
  if (operation === null) return;
  const requestId = requestIdOf(headersOf(request));
  if (operation === "page") {
    request.headers["x-request-id"] = requestId;
    response.setHeader("x-request-id", requestId);
  }
  response.once("close", () => noteRequest({ requestId, operation, status: response.statusCode, startedAt }));
}

export interface ServerParts {
  /** The static files of the build, which come after the app's handlers. */
  readonly files?: RequestHandler;
  /** Answers all other requests: Next. */
  readonly rest: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Accepts WebSockets; only hot reload uses them. Without it upgrade requests are ignored (RFC 9110, 7.8). */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly failed: (error: unknown) => void;
  /**
   * How long the server keeps an idle connection. It must be the client, such as a load balancer, that closes it first:
   * a request that is sent while the server closes is lost.
   */
  readonly keepAliveMs: number;
  /** How long a stopping server waits for open requests. */
  readonly graceMs: number;
}

/**
 * Creates the HTTP server in front of Next. It stamps each request with its socket's address and then passes it to
 * the first that handles it: the app's handlers (request guard, API, guest pages), static files, Next.
 */
export function createEntryServer(parts: ServerParts): EntryServer & {
  /** Accepts requests once the app is attached. @throws what `listen` of Node's server emits, such as EADDRINUSE */
  listen(port: number, host: string): Promise<http.Server>;
  /**
   * Stops in order: refuses new connections, calls the app's `stop`, waits for open requests, calls the app's
   * `close`.
   */
  stop(): Promise<void>;
} {
  let app: AppParts | undefined;
  let nowAttached = () => {};
  const attached = new Promise<void>((resolve) => {
    nowAttached = resolve;
  });

  const server = http.createServer(async (request, response) => {
    const startedAt = performance.now();
    try {
      stampAddress(request);
      unmarkForGuests(request);
      if (app?.handlers.some((handler) => handler(request, response))) return;
      noteAtEnd(request, response, startedAt);
      if (parts.files?.(request, response)) return;
      await parts.rest(request, response);
    } catch (error) {
      parts.failed(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  });
  server.keepAliveTimeout = parts.keepAliveMs;
  // It never listens: only `render` gives it connections, which are pairs of streams in memory.
  const inner = http.createServer((request, response) => {
    markForGuests(request);
    parts.rest(request, response).catch((error: unknown) => {
      parts.failed(error);
      response.destroy();
    });
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
    async render(url, headers) {
      const [client, socket] = duplexPair();
      socket.once("close", () => client.destroy());
      inner.emit("connection", socket);
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        http.get({ path: url, headers, createConnection: () => client }, resolve).once("error", reject);
      });
      const body = await buffer(response);
      return { status: response.statusCode ?? 500, headers: response.headers, body };
    },
    async listen(port, host) {
      await attached;
      return await new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => resolve(server));
      });
    },
    async stop() {
      await acceptWaiting(server);
      const closed = new Promise((resolve) => server.close(resolve));
      await app?.stop();
      // A connection that sends its last response from here on would otherwise stay open for another request.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const grace = new Promise((resolve) => setTimeout(resolve, parts.graceMs).unref());
      await Promise.race([closed, grace]);
      clearInterval(idle);
      await app?.close();
    },
  };
}
