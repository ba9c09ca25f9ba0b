import type { IncomingMessage, ServerResponse } from "node:http";
import type { Services } from "./assemble";

/** Answers a request of Node's server, or leaves it to the next one. @returns whether it answers */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The part of the app that lives in Next's bundle, as the entry server uses it. */
export interface AppParts {
  /** Asked in this order, before static files and Next. */
  readonly handlers: readonly RequestHandler[];
  /** Ends what would go on forever, such as event streams and timers; called before requests are waited for. */
  stop(): Promise<void>;
  /** Closes database and cache; called when no request is under way any more. */
  close(): Promise<void>;
}

/** The HTTP server of this process (lib/server/main.ts), as Next's bundle sees it. */
export interface EntryServer {
  /** Called by `register` in instrumentation.ts, once the app can serve. The server listens from then on. */
  attach(app: AppParts): void;
}

/**
 * What exists once in a process. The entry server is a program of its own beside Next's bundle, and a bundler gives route
 * handlers, pages and instrumentation a copy of our modules each; a variable of a module is not shared between them.
 */
export interface ProcessState {
  /** Undefined where another server runs Next (`next start`, serverless platforms). */
  entry?: EntryServer;
  /** One set for all copies: an embedded database that is opened twice is damaged. */
  services?: Promise<Services>;
}

/** The only global of this repository's server side. */
const key: unique symbol = Symbol.for("parley.process");

/** The state of this process, shared by every copy of this module. */
export function processState(): ProcessState {
  const holder: typeof globalThis & { [key]?: ProcessState } = globalThis;
  holder[key] ??= {};
  return holder[key];
}
