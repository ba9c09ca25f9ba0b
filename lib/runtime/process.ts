import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Tracing } from "@/lib/tracing";
import type { Services } from "./assemble";

/** Handles a request of Node's server, or leaves it to the next handler. @returns whether it handles it */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The part of the app in Next's bundle, as the entry server uses it. */
export interface AppParts {
  /** Handlers in the order in which they are called, before static files and Next. */
  readonly handlers: readonly RequestHandler[];
  /** Ends event streams and timers, which never finish; called before the server waits for open requests. */
  stop(): Promise<void>;
  /** Closes database and cache; called when no request is open any more. */
  close(): Promise<void>;
}

/** A page as Next rendered it, uncompressed. */
export interface RenderedPage {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The HTTP server of this process (lib/server/main.ts), as Next's bundle sees it. */
export interface EntryServer {
  /** Called by `register` in instrumentation.ts once the app can serve; then the server starts to listen. */
  attach(app: AppParts): void;
  /** Has Next render a page for guests (lib/http/guest-page.ts), past all handlers. @param url path and query */
  render(url: string, headers: OutgoingHttpHeaders): Promise<RenderedPage>;
}

/** What counts requests (lib/runtime/metrics.ts). */
export interface Counts {
  request(operation: string, status: number, ms: number): void;
  refused(code: string): void;
}

/**
 * State that exists once per process. The entry server is a program of its own next to Next's bundle, and the bundler
 * gives route handlers, pages and instrumentation separate copies of our modules, which do not share module
 * variables.
 */
export interface ProcessState {
  /** Undefined where another server runs Next (`next start`, serverless platforms). */
  entry?: EntryServer;
  /** Shared by all copies: opening an embedded database twice damages it. */
  services?: Promise<Services>;
  /** Undefined where nothing serves them. */
  metrics?: Counts;
  /** Undefined before the services start. */
  tracing?: Tracing;
}

/** The only global of this repository's server side. */
const key: unique symbol = Symbol.for("parley.process");

/** Returns the state of this process, shared by every copy of this module. */
export function processState(): ProcessState {
  const holder: typeof globalThis & { [key]?: ProcessState } = globalThis;
  holder[key] ??= {};
  return holder[key];
}
