import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Context } from "@/lib/context";
import { TOPIC_WINDOW_MS, topicScore } from "../scores";

/** Recalculations by topic, per database: whether another is wanted once this one is done. */
const running = new WeakMap<Db, Map<string, { again: boolean }>>();

/**
 * Recalculates a topic's score after the response (design/api.md: on post, comment, vote and join). Requests that
 * arrive during a recalculation share the next one.
 *
 * @param options.maxAgeMs keeps a score that is not older. Votes are not in the formula, so they only update old scores
 */
export function topicScoreLater(
  ctx: Pick<Context, "changed" | "db" | "later" | "now">,
  topicId: string,
  options: { readonly maxAgeMs?: number } = {},
): void {
  const { maxAgeMs = 0 } = options;
  const byTopic = running.get(ctx.db) ?? new Map<string, { again: boolean }>();
  running.set(ctx.db, byTopic);
  const key = `${topicId} ${maxAgeMs}`;
  const current = byTopic.get(key);
  if (current) {
    current.again = true;
    return;
  }
  const own = { again: true };
  byTopic.set(key, own);
  ctx.later("topic score", async () => {
    try {
      while (own.again) {
        own.again = false;
        const now = ctx.now();
        const since = new Date(now.getTime() - maxAgeMs);
        if (await recalculateTopicScore(ctx.db, topicId, now, since)) ctx.changed("lists");
      }
    } finally {
      byTopic.delete(key);
    }
  });
}

/** Recalculates a topic's score, unless that was done after `unlessSince`. @returns whether it did */
export async function recalculateTopicScore(
  db: Db,
  topicId: string,
  now: Date,
  unlessSince: Date = now,
): Promise<boolean> {
  const windowStart = new Date(now.getTime() - TOPIC_WINDOW_MS);
  const { rows } = await sql<{ member_count: number; created_at: Date; recent: number }>`
    select t.member_count, t.created_at, (
      select count(*)::int from posts p
      where p.topic_id = t.id and p.is_pinned in (true, false) and p.deleted_at is null
        and p.created_at > ${windowStart} and p.created_at <= ${now}
    ) as recent
    from topics t where t.id = ${topicId} and t.score_at <= ${unlessSince}`.execute(db);
  const [topic] = rows;
  if (!topic) return false;
  const score = topicScore({
    members: topic.member_count,
    recentPosts: topic.recent,
    createdAt: topic.created_at,
    now,
  });
  await db.updateTable("topics").set({ score, score_at: now }).where("id", "=", topicId).execute();
  return true;
}

/**
 * Recalculates scores that are an hour old, of topics with posts that left the seven-day window since then.
 * @param limit topics per call; call again while it returns as many
 * @returns the number of recalculated topics
 */
export async function refreshMovedTopicScores(db: Db, now: Date, limit = 200): Promise<number> {
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const { rows } = await sql<{ id: string }>`
    select t.id from topics t where t.score_at <= ${hourAgo} and exists (
      select from posts p
      where p.topic_id = t.id and p.is_pinned in (true, false) and p.deleted_at is null
        and p.created_at > t.score_at - interval '7 days'
        and p.created_at <= ${new Date(now.getTime() - TOPIC_WINDOW_MS)}::timestamptz
    ) order by t.score_at limit ${limit}`.execute(db);
  for (const { id } of rows) await recalculateTopicScore(db, id, now);
  return rows.length;
}
