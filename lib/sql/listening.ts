import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { backoffMs } from "./backoff";

/** What a listener is told. */
export interface Listener {
  onMessage(channel: string, message: string): void;
  /** Messages may have been lost while the connection was away; it is back, and listens again. */
  onRestored(): void;
}

/** LISTEN on a session of its own. Send with `select pg_notify(channel, message)` on any connection. */
export interface Listening {
  /** Resolves once it listens; while the server is away, at once: it is made up for, then `onRestored` is called. */
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
  close(): Promise<void>;
}

/** LISTEN on an embedded database. @param pglite the instance, which belongs to whoever opened it */
export function listenOnPglite(pglite: PGlite, listener: Listener): Listening {
  const callbacks = new Map<string, (message: string) => void>();
  return {
    async listen(channel) {
      const callback = (message: string) => listener.onMessage(channel, message);
      callbacks.set(channel, callback);
      // Quoted: PGlite takes it as an identifier, and would fold its case.
      await pglite.listen(quoted(channel), callback);
    },
    async unlisten(channel) {
      const callback = callbacks.get(channel);
      callbacks.delete(channel);
      if (callback && !pglite.closed) await pglite.unlisten(quoted(channel), callback);
    },
    async close() {
      for (const channel of [...callbacks.keys()]) await this.unlisten(channel);
    },
  };
}

/**
 * LISTEN on one connection beside the pool, opened with the first channel. A lost connection is opened again, sooner
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
