import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";

/** Callbacks of a listener. */
export interface Listener {
  onMessage(channel: string, message: string): void;
  /** The connection was lost and restored: messages may have been lost. */
  onRestored(): void;
}

/** Messages between the processes of one database, by LISTEN and NOTIFY or an equivalent. */
export interface Listening {
  /** Resolves when listening. Resolves at once while the server is away; `onRestored` follows when it is back. */
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
  /** @throws Error while the server is away */
  notify(channel: string, message: string): Promise<void>;
  close(): Promise<void>;
}

/** Listeners per channel of each embedded database. */
const embedded = new WeakMap<PGlite, Map<string, Set<Listener>>>();

/** Delivers messages within the process, the only one. NOTIFY would cost a commit on the only connection. */
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

/** LISTEN and NOTIFY on one connection beside the pool, opened on first use; reconnects with backoff. */
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
      // A message need not wait for the disk.
      await next.query("set synchronous_commit to off");
      for (const channel of channels) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
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
    // Messages are lost from here on, also if the first connection failed.
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
        // If the connection breaks here, the next one listens to this channel.
        await client.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
        return;
      }
      opening ??= open();
      await opening;
    },
    async notify(channel, message) {
      opening ??= open();
      await opening;
      if (!client) throw new Error("the connection for messages is down");
      await client.query("select pg_notify($1, $2)", [channel, message]);
    },
    async unlisten(channel) {
      channels.delete(channel);
      await client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
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

/** Returns the milliseconds until the next attempt: exponential backoff with jitter. */
export function backoffMs(attempts: number, longestMs = 10_000): number {
  return Math.min(100 * 2 ** attempts, longestMs) * (0.5 + Math.random() / 2);
}
