import type { Db } from "@/db/schema";
import { log } from "@/lib/log";
import { Batch } from "./batch";
import { grouped } from "./grouped";
import type { Room } from "./room";
import type { LiveStream } from "./stream";

/** Sessions, or followers, of one query. */
const atOnce = 1_000;

/**
 * Whether those who follow still may: their session goes on, their account is there, and the feed lets them. Asked of
 * the database; while it cannot be asked, streams stay.
 */
export class Rights {
  readonly #db: Db;
  readonly #now: () => Date;
  readonly #sessions: Batch<string, boolean>;

  constructor(db: Db, now: () => Date) {
    this.#db = db;
    this.#now = now;
    this.#sessions = new Batch(async (ids) => {
      const going = await liveSessions(db, new Set(ids), now());
      return ids.map((id) => going.has(id));
    }, atOnce);
  }

  /** Whether a session has not ended. */
  async goesOn(sessionId: string): Promise<boolean> {
    return await this.#sessions.add(sessionId);
  }

  /** Ends those of the streams whose right ended. */
  async look(streams: readonly LiveStream<Room>[]): Promise<void> {
    for (let from = 0; from < streams.length; from += atOnce) {
      try {
        await this.#lookAt(streams.slice(from, from + atOnce));
      } catch (error) {
        log.warn({ err: error }, "rights of streams could not be looked at");
      }
    }
  }

  async #lookAt(streams: readonly LiveStream<Room>[]): Promise<void> {
    const going = await liveSessions(
      this.#db,
      new Set(streams.map(({ sessionId }) => sessionId)),
      this.#now(),
    );
    const left: LiveStream<Room>[] = [];
    for (const stream of streams) {
      // One that is still being opened reads its session by itself.
      if (stream.sessionId === "" || going.has(stream.sessionId)) left.push(stream);
      else stream.refuse();
    }
    for (const [feed, followers] of grouped(left, ({ room }) => room.feed)) {
      if (!feed.allowed) continue;
      const asked = followers.map(({ room: { key }, userId }) => ({ key, userId }));
      const allowed = new Set((await feed.allowed(this.#db, asked)).map(nameOf));
      for (const stream of followers) {
        if (!allowed.has(nameOf({ key: stream.room.key, userId: stream.userId }))) stream.refuse();
      }
    }
  }
}

function nameOf({ key, userId }: { readonly key: string; readonly userId: string }): string {
  return `${key} ${userId}`;
}

/** Those of the sessions that go on, of accounts that are there. */
async function liveSessions(db: Db, ids: ReadonlySet<string>, now: Date): Promise<ReadonlySet<string>> {
  const known = [...ids].filter((id) => id !== "");
  if (known.length === 0) return new Set();
  const rows = await db
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .select("s.id")
    .where("s.id", "in", known)
    .where("s.expires_at", ">", now)
    .where("u.deleted_at", "is", null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
