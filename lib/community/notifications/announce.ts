import { type QueryCreator, sql } from "kysely";
import type { Database, Db, Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import { type Effects, write } from "../write";
import { notify } from "./notify";

/** A post, or a comment under it. */
interface Written {
  readonly topicId: string;
  readonly postId: string;
  readonly commentId: string | null;
  readonly now: Date;
}

/** Watchers told in one transaction, which keeps their inboxes until it ends. */
const ROUND = 200;

/**
 * Notes that watchers are to be told of what is written, if anybody watches. Part of the statement that writes it, so
 * that it costs no round trip.
 */
export function announcement(db: QueryCreator<Database>, written: Written) {
  const { topicId, postId, commentId, now } = written;
  const watched = commentId
    ? sql<boolean>`exists (select from thread_levels where post_id = ${postId} and level = 'watch')`
    : sql<boolean>`exists (select from topic_notification_levels where topic_id = ${topicId} and level = 'watch')`;
  return db
    .insertInto("announcements")
    .columns(["post_id", "comment_id", "created_at"])
    .expression(
      db
        .selectNoFrom([
          sql<string>`${postId}::uuid`.as("post_id"),
          sql<string | null>`${commentId}::uuid`.as("comment_id"),
          sql<Date>`${now}::timestamptz`.as("created_at"),
        ])
        .where(watched),
    );
}

/** Databases whose announcements are being sent; true where more may have come meanwhile. */
const sending = new WeakMap<Db, boolean>();

/** Tells watchers after the response. What a crash leaves is sent by housekeeping. */
export function announceLater(ctx: Pick<Context, "db" | "live" | "now" | "later">): void {
  if (sending.has(ctx.db)) {
    sending.set(ctx.db, true);
    return;
  }
  sending.set(ctx.db, true);
  ctx.later("announcements", async () => {
    try {
      while (sending.get(ctx.db)) {
        sending.set(ctx.db, false);
        await sendAnnouncements(ctx);
      }
    } finally {
      sending.delete(ctx.db);
    }
  });
}

type Telling = Pick<Context, "db" | "live" | "now">;

/** Tells watchers of everything they are still to be told of. Any number of processes may do so at once. */
export async function sendAnnouncements(services: Telling): Promise<void> {
  const now = services.now();
  while (await write(services, (trx, effects) => sendRound(trx, effects, now)));
}

interface Announced {
  readonly post_id: string;
  readonly comment_id: string | null;
  readonly told_up_to: string;
  readonly topic_id: string;
  readonly author_id: string;
}

/** Tells some watchers of the oldest announcement that no other process has. @returns whether there was one */
async function sendRound(trx: Trx, effects: Effects, now: Date): Promise<boolean> {
  const taken = await trx
    .selectFrom("announcements")
    .select("id")
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!taken) return false;
  const announced = await stillShown(trx, taken.id);
  const watchers = announced ? await watchersOf(trx, announced) : [];
  if (announced && watchers.length > 0) {
    const { topic_id, author_id, post_id, comment_id } = announced;
    const kind = comment_id ? "watched_thread" : "watched_topic";
    await notify(trx, effects, { topicId: topic_id, actorId: author_id, now }, [
      { kind, to: watchers, postId: post_id, commentId: comment_id },
    ]);
  }
  const last = watchers.at(-1);
  if (last !== undefined && watchers.length === ROUND) {
    await trx.updateTable("announcements").set({ told_up_to: last }).where("id", "=", taken.id).execute();
  } else await trx.deleteFrom("announcements").where("id", "=", taken.id).execute();
  return true;
}

/** Returns an announcement unless what it is about waits for review, or was hidden or deleted since. */
async function stillShown(trx: Trx, id: string): Promise<Announced | undefined> {
  const { rows } = await sql<Announced>`
    select a.post_id, a.comment_id, a.told_up_to, p.topic_id, coalesce(c.author_id, p.author_id) as author_id
    from announcements a join posts p on p.id = a.post_id
    left join comments c on c.id = a.comment_id
    where a.id = ${id} and p.deleted_at is null and p.hidden_at is null
      and (a.comment_id is null or (c.deleted_at is null and c.hidden_at is null and c.id is not null))`.execute(
    trx,
  );
  return rows[0];
}

/** Returns the next watchers, without those who were told of a reply or a mention when it was written. */
async function watchersOf(trx: Trx, announced: Announced): Promise<readonly string[]> {
  const { post_id, comment_id, topic_id, told_up_to } = announced;
  const watching = comment_id
    ? sql`select l.user_id from thread_levels l where l.post_id = ${post_id} and l.level = 'watch'
        and l.user_id not in (select author_id from posts where id = ${post_id})
        and l.user_id not in (select r.author_id from comments c join comments r on r.id = c.parent_id
          where c.id = ${comment_id})
        and l.user_id not in (select user_id from mentions where post_id = ${post_id} and comment_id = ${comment_id})`
    : sql`select l.user_id from topic_notification_levels l where l.topic_id = ${topic_id} and l.level = 'watch'
        and l.user_id not in (select user_id from mentions where post_id = ${post_id} and comment_id is null)`;
  const { rows } = await sql<{ user_id: string }>`
    ${watching} and l.user_id collate "C" > ${told_up_to} collate "C"
    order by l.user_id collate "C" limit ${sql.lit(ROUND)}`.execute(trx);
  return rows.map(({ user_id }) => user_id);
}
