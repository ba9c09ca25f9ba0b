import { type RawBuilder, sql } from "kysely";
import type { OpenDatabase } from "@/db/client";
import { assertMessage, Channels } from "./channels";
import type { Cache } from "./index";

/** Of channels, since others may use the database's. */
const prefix = "parley:";

const sweepEveryMs = 60_000;

/**
 * The cache as a table of the application's database: one statement per operation, so every operation is atomic
 * across processes, and a restart loses nothing. Times are the database's own.
 *
 * Never call it while awaiting inside a transaction: on PGlite, which has one connection, it would wait for itself.
 *
 * Messages go by LISTEN and NOTIFY; of PGlite, which has one process, within it. Where there is no session to listen on (@vercel/postgres) they reach this process
 * only; the others learn by looking.
 */
export function embeddedCache({ db, listening }: Pick<OpenDatabase, "db" | "listening">): Cache {
  const session = listening?.({
    onMessage: (name, message) => {
      if (name.startsWith(prefix)) channels.deliver(name.slice(prefix.length), message);
    },
    onRestored: () => channels.restored(),
  });
  const channels = new Channels({
    listen: async (channel) => await session?.listen(prefix + channel),
    unlisten: async (channel) => await session?.unlisten(prefix + channel),
  });
  let lastSweep = Date.now();
  const now = sql<Date>`clock_timestamp()`;

  /** Expired rows are invisible at once and deleted in passing; no timer keeps the process alive. */
  function sweepSometimes(): void {
    if (Date.now() - lastSweep < sweepEveryMs) return;
    lastSweep = Date.now();
    // A failed sweep loses nothing: the next one finds the same rows.
    db.deleteFrom("cache_entries")
      .where("expires_at", "<=", now)
      .execute()
      .catch(() => undefined);
  }

  return {
    async get(key) {
      const row = await db
        .selectFrom("cache_entries")
        .select("value")
        .where("key", "=", key)
        .where("expires_at", ">", now)
        .executeTakeFirst();
      return row?.value ?? null;
    },

    async set(key, value, seconds, onlyIfAbsent = false) {
      sweepSometimes();
      const row = await db
        .insertInto("cache_entries")
        .values({ key, value, expires_at: inSeconds(seconds) })
        .onConflict((conflict) => {
          const update = conflict.column("key").doUpdateSet((eb) => ({
            value: eb.ref("excluded.value"),
            expires_at: eb.ref("excluded.expires_at"),
          }));
          return onlyIfAbsent ? update.where("cache_entries.expires_at", "<=", now) : update;
        })
        .returning("key")
        .executeTakeFirst();
      return row !== undefined;
    },

    async increment(key, seconds) {
      sweepSometimes();
      const { rows } = await sql<{ value: number; seconds: number }>`
        insert into cache_entries as entry (key, value, expires_at)
        values (${key}, '1', ${inSeconds(seconds)})
        on conflict (key) do update set
          value = case when entry.expires_at <= clock_timestamp() then '1' else (entry.value::bigint + 1)::text end,
          expires_at = case when entry.expires_at <= clock_timestamp() then excluded.expires_at else entry.expires_at end
        returning value::int as value, extract(epoch from expires_at - clock_timestamp())::float8 as seconds`.execute(
        db,
      );
      const [row] = rows;
      if (!row) throw new Error("the cache counter was not returned");
      return { value: row.value, expiresInSeconds: Math.max(1, Math.ceil(row.seconds)) };
    },

    async delete(key) {
      await db.deleteFrom("cache_entries").where("key", "=", key).execute();
    },

    async publish(channel, message) {
      assertMessage(channel, message);
      if (!session) channels.deliver(channel, message);
      else await session.notify(prefix + channel, message);
    },

    async subscribe(channel, onMessage, onRestored) {
      return await channels.subscribe(channel, onMessage, onRestored);
    },

    /** The database belongs to whoever opened it. */
    async close() {
      await session?.close();
    },
  };
}

function inSeconds(seconds: number): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
}
