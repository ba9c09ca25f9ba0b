import diagnostics from "node:diagnostics_channel";
import type { Server } from "node:http";
import { log } from "@/lib/log";

/** Ends something that would keep the process alive: an event stream, a timer, a subscription. */
export type Closer = () => void | Promise<void>;

interface ShutdownState {
  readonly closers: Set<Closer>;
  readonly servers: Set<Server>;
  installed: boolean;
  stopping: boolean;
}

declare global {
  /** On globalThis because bundlers may load this module more than once. */
  var parleyShutdown: ShutdownState | undefined;
}

function state(): ShutdownState {
  globalThis.parleyShutdown ??= { closers: new Set(), servers: new Set(), installed: false, stopping: false };
  return globalThis.parleyShutdown;
}

/** Longest wait for requests under way. */
const graceMs = 8_000;

/** Registers a closer, e.g. of an open event stream. @returns a function that takes it back */
export function onShutdown(closer: Closer): () => void {
  const { closers } = state();
  closers.add(closer);
  return () => closers.delete(closer);
}

/**
 * Ends the process in order at SIGTERM or SIGINT: no new connections, closers, requests under way, then `last`
 * (database and cache). Next leaves signals to us with NEXT_MANUAL_SIG_HANDLE=true; otherwise open event streams would
 * keep it alive, and the database folder locked, until somebody kills it.
 */
export function installShutdown(last: Closer): void {
  const shared = state();
  if (shared.installed) return;
  shared.installed = true;
  // Next keeps its server to itself; Node names it with every request.
  diagnostics.subscribe("http.server.request.start", (message) => {
    if (typeof message === "object" && message !== null && "server" in message) {
      if (isServer(message.server)) shared.servers.add(message.server);
    }
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (shared.stopping) return;
      shared.stopping = true;
      void stop(shared, last);
    });
  }
}

function isServer(value: unknown): value is Server {
  return typeof value === "object" && value !== null && "closeIdleConnections" in value;
}

async function stop({ closers, servers }: ShutdownState, last: Closer): Promise<void> {
  const closed = Promise.all([...servers].map((server) => new Promise((resolve) => server.close(resolve))));
  await Promise.allSettled([...closers].map((close) => close()));
  for (const server of servers) server.closeIdleConnections();
  const grace = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
  await Promise.race([closed, grace]);
  try {
    await last();
    process.exit(0);
  } catch (error) {
    log.error({ err: error }, "shutdown failed");
    process.exit(1);
  }
}
