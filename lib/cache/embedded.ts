import { type RawBuilder, sql } from "kysely";
import type { OpenDatabase } from "@/db/client";
import { assertMessage, Channels } from "./channels";
import type { Cache } from "./index";

/** Prefix of channels: other programs may use the same database. */
const prefix = "parley:";

const sweepEveryMs = 60_000;

/**
 * Makes a cache from a table of the application's database. Every operation is a single statement, so it is atomic across
 * processes, and a restart loses nothing. Uses the database's clock.
 *
 * Never await it inside a transaction: PGlite has one connection, so it would deadlock.
 *
 * Messages use LISTEN and NOTIFY, or stay in the process on PGlite. Without a session (@vercel/postgres) they reach this
 * process only; others find changes by polling.
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

  /** Deletes expired rows, which reads ignore already. Uses no timer, which would keep the process alive. */
  function sweepSometimes(): void {
    if (Date.now() - lastSweep < sweepEveryMs) return;
    lastSweep = Date.now();
    // The next sweep retries a failed one.
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

    async increment(key, seconds, by = 1) {
      sweepSometimes();
      const { rows } = await sql<{ value: number; seconds: number }>`
        insert into cache_entries as entry (key, value, expires_at)
        values (${key}, ${String(by)}, ${inSeconds(seconds)})
        on conflict (key) do update set
          value = case when entry.expires_at <= clock_timestamp() then excluded.value
            else (entry.value::bigint + ${by}::bigint)::text end,
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

    subscribe: (...subscription) => channels.subscribe(...subscription),

    /** Leaves the database open. */
    async close() {
      await session?.close();
    },
  };
}

function inSeconds(seconds: number): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
}
