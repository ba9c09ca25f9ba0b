import { type RawBuilder, sql } from "kysely";
import type { Trx } from "@/db/schema";
import { type Effects, write } from "../write";

/**
 * Removes every notification of a topic that this transaction deleted. To be called after the topic's row is gone, so
 * that no act in it is under way, and last, as inboxes are locked here.
 */
export async function forgetTopicNotifications(trx: Trx, effects: Effects, topicId: string): Promise<void> {
  await forget(trx, effects, {
    boxes: sql`select user_id from notifications where topic_id = ${topicId}`,
    which: sql`topic_id = ${topicId}`,
  });
}

/** Notifications are kept for so long. */
const keptMs = 90 * 24 * 60 * 60 * 1000;
/** Old ones that one transaction looks for. */
const atOnce = 1_000;

/** Removes notifications of more than 90 days. */
export async function forgetOldNotifications(ctx: Parameters<typeof write>[0], now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs);
  const old = {
    boxes: sql`select user_id from notifications where created_at < ${before} order by created_at limit ${atOnce}`,
    which: sql`created_at < ${before}`,
  };
  while (await write(ctx, (trx, effects) => forget(trx, effects, old)));
}

interface Forgotten {
  /** Users whose inboxes are looked at. */
  readonly boxes: RawBuilder<unknown>;
  /** Which of their notifications go. */
  readonly which: RawBuilder<unknown>;
}

/** Removes notifications, and counts those that were unread out of their inboxes. @returns whether there were any */
async function forget(trx: Trx, effects: Effects, { boxes, which }: Forgotten): Promise<boolean> {
  // Inboxes before their notifications, as everywhere; by a statement of its own, so that the next sees what the wait
  // was for.
  const { rows } = await sql<{ user_id: string }>`
    select user_id from inboxes where user_id in (${boxes}) order by user_id collate "C" for no key update`.execute(
    trx,
  );
  const userIds = rows.map((row) => row.user_id);
  if (userIds.length === 0) return false;
  await sql`
    with gone as (
      delete from notifications where ${which} and user_id in (${sql.join(userIds)}) returning user_id, read_at
    ), unread as (
      select user_id, count(*)::int as count from gone where read_at is null group by user_id
    )
    update inboxes i set unread_count = i.unread_count - unread.count from unread
    where unread.user_id = i.user_id`.execute(trx);
  effects.publish({ kind: "inbox", userIds });
  return true;
}
