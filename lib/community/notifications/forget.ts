import { type RawBuilder, sql } from "kysely";
import type { Trx } from "@/db/schema";
import { LIMITS } from "@/lib/contract/limits";
import { type Effects, write } from "../write";

/**
 * Deletes every notification of a topic that this transaction deleted. Call it after the topic's row is gone, so that
 * nothing happens in the topic any more, and last, since it locks inboxes.
 */
export async function forgetTopicNotifications(trx: Trx, effects: Effects, topicId: string): Promise<void> {
  await deleteNotifications(trx, effects, {
    users: sql`select user_id from notifications where topic_id = ${topicId}`,
    which: sql`topic_id = ${topicId}`,
  });
}

/** How long notifications are kept. */
const NOTIFICATION_LIFE_MS = LIMITS.days.notification * 24 * 60 * 60 * 1000;
/** Old notifications per transaction. */
const BATCH = 1_000;

/** Deletes notifications older than 90 days. */
export async function forgetOldNotifications(ctx: Parameters<typeof write>[0], now: Date): Promise<void> {
  const before = new Date(now.getTime() - NOTIFICATION_LIFE_MS);
  const old = {
    users: sql`select user_id from notifications where created_at < ${before} order by created_at limit ${BATCH}`,
    which: sql`created_at < ${before}`,
  };
  while (await write(ctx, (trx, effects) => deleteNotifications(trx, effects, old)));
}

interface Deletion {
  /** SQL: the users to look at. */
  readonly users: RawBuilder<unknown>;
  /** SQL: which of their notifications to delete. */
  readonly which: RawBuilder<unknown>;
}

/** Deletes notifications and uncounts the unread ones. @returns whether there were any */
async function deleteNotifications(trx: Trx, effects: Effects, { users, which }: Deletion): Promise<boolean> {
  // Lock order: inboxes before their notifications. A statement of its own, so that the next one sees what changed
  // during the wait.
  const { rows } = await sql<{ user_id: string }>`
    select user_id from inboxes where user_id in (${users}) order by user_id collate "C" for no key update`.execute(
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
