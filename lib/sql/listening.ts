import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { backoffMs } from "./backoff";

/** What a listener is told. */
export interface Listener {
  onMessage(channel: string, message: string): void;
  /** Messages may have been lost while the connection was away; it is back, and listens again. */
  onRestored(): void;
}

/** Messages between those who have a database open, by LISTEN and NOTIFY or in their manner. */
export interface Listening {
  /** Resolves once it listens; while the server is away, at once: it is made up for, then `onRestored` is called. */
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
  /** @throws Error while the server is away */
  notify(channel: string, message: string): Promise<void>;
  close(): Promise<void>;
}

/** Who listens to what, of each embedded database. */
const embedded = new WeakMap<PGlite, Map<string, Set<Listener>>>();

/**
 * An embedded database belongs to one process: its messages need not go through it. NOTIFY would cost a commit, which
 * waits for the disk, on the connection that everybody waits for.
 */
export function listenOnPglite(pglite: PGlite, listener: Listener): Listening {
  const channels = embedded.get(pglite) ?? new Map<string, Set<Listener>>();
  embedded.set(pglite, channels);
  const unlisten = (channel: string) => {
    const listeners = channels.get(channel);
    listeners?.delete(listener);
    if (listeners?.size === 0) channels.delete(channel);
  };
  return {
    async listen(channel) {
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(listener));
    },
    async unlisten(channel) {
      unlisten(channel);
    },
    async notify(channel, message) {
      for (const one of channels.get(channel) ?? []) one.onMessage(channel, message);
    },
    async close() {
      for (const channel of [...channels.keys()]) unlisten(channel);
    },
  };
}

/**
 * LISTEN and NOTIFY on one connection beside the pool, opened when it is first used. A lost connection is opened again, sooner
 * at first, then at most every ten seconds, each process at another moment.
 */
export function listenOnPostgres(url: string, listener: Listener): Listening {
  const channels = new Set<string>();
  let client: pg.Client | undefined;
  let attempts = 0;
  let wasConnected = false;
  let closed = false;
  let opening: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    // Without a listener a broken connection would end the process.
    next.on("error", () => lost(next));
    next.on("end", () => lost(next));
    next.on("notification", ({ channel, payload }) => listener.onMessage(channel, payload ?? ""));
    try {
      await next.connect();
      if (closed) return await next.end();
      client = next;
      // A message is not worth waiting for the disk.
      await next.query("set synchronous_commit to off");
      for (const channel of channels) await next.query(`listen ${quoted(channel)}`);
    } catch {
      client = undefined;
      void next.end().catch(() => undefined);
      return tryLater();
    }
    attempts = 0;
    if (wasConnected) listener.onRestored();
    wasConnected = true;
  }

  function lost(which: pg.Client): void {
    if (client !== which) return;
    client = undefined;
    void which.end().catch(() => undefined);
    tryLater();
  }

  function tryLater(): void {
    // From here on whatever is told is missed, the first connection's too.
    wasConnected = true;
    if (closed || retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      opening = open();
    }, backoffMs(attempts));
    attempts += 1;
  }

  return {
    async listen(channel) {
      channels.add(channel);
      if (client) {
        // A connection that breaks here is opened again, with this channel.
        await client.query(`listen ${quoted(channel)}`).catch(() => undefined);
        return;
      }
      opening ??= open();
      await opening;
    },
    async notify(channel, message) {
      opening ??= open();
      await opening;
      if (!client) throw new Error("the connection for messages is away");
      await client.query("select pg_notify($1, $2)", [channel, message]);
    },
    async unlisten(channel) {
      channels.delete(channel);
      await client?.query(`unlisten ${quoted(channel)}`).catch(() => undefined);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await opening;
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

function quoted(channel: string): string {
  return pg.escapeIdentifier(channel);
}
