import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import type { Handler } from "@/lib/context";
import type { contract, Role } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import type { TopicCounts } from "@/lib/contract/reading";
import { topicAccess } from "@/lib/policy/topic";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { viewerOf } from "../viewer";
import { fresh, freshCount } from "./unread";

interface CountRow {
  readonly id: string;
  readonly visibility: Visibility;
  readonly role: Role;
  readonly reprove_by: Date | null;
  readonly is_muted: boolean;
  readonly posts: number;
  readonly chat: number;
  readonly threads: number;
}

const { most } = LIMITS.unread;

/** GET /api/my/unread: one query, which reads no more of each topic than it may count. */
export const countUnread: Handler<typeof contract.reading.counts> = async ({ caller, db }) => {
  const rows = await unreadOf(db, caller.userId);
  const topics = rows
    .filter((row) => topicAccess(row, viewerOf(caller, { ...row, muted: false })).inside === "allowed")
    .filter(({ posts, chat, threads }) => posts + chat + threads > 0)
    .map(({ id, is_muted, posts, chat, threads }) => ({
      topicId: id,
      isMuted: is_muted,
      posts,
      chat,
      threads: Math.min(most, threads),
    }));
  const heard = topics.filter(({ isMuted }) => !isMuted);
  return {
    topics,
    totals: { posts: total(heard, "posts"), chat: total(heard, "chat"), threads: total(heard, "threads") },
  };
};

function total(topics: readonly TopicCounts[], key: "posts" | "chat" | "threads"): number {
  return Math.min(
    most,
    topics.reduce((sum, counts) => sum + counts[key], 0),
  );
}

/** Returns what is new to a user in the topics they belong to, those with nothing new included. */
export async function unreadOf(db: Db, userId: string): Promise<CountRow[]> {
  return await unreadByUser(db, { userId });
}

const unreadByUser = compiledQuery((db: Db, value: PlaceOf<{ userId: string }>) => {
  const userId = sql`${value("userId")}::text`;
  // Worked out once per topic: the blocks of most readers are none, and most of the time goes into single entries.
  const seesAll = sql<boolean>`m.role <> 'member' or not exists (select from blocks k where k.user_id = ${userId})`;
  const reader = { userId, seesAll: sql<boolean>`mine.sees_all` };
  return sql<CountRow>`
    with mine as materialized (
      select t.id, t.visibility, m.role, m.reprove_by, (${seesAll}) as sees_all, t.last_activity_at, q.user_id is not null as is_muted,
        t.post_position, coalesce(r.post_position, 0) as posts_read,
        coalesce(c.last_position, 0) as chat_position, coalesce(r.chat_position, s.position, 0) as chat_read
      from memberships m join topics t on t.id = m.topic_id
      left join topic_reads r on r.user_id = m.user_id and r.topic_id = m.topic_id
      left join chat_rooms c on c.topic_id = t.id
      left join chat_starts s on s.topic_id = t.id
      left join topic_mutes q on q.user_id = m.user_id and q.topic_id = t.id
      where m.user_id = ${userId}
      order by t.last_activity_at desc, t.id desc limit ${sql.lit(LIMITS.unread.topics)}
    ), opened as materialized (
      select h.topic_id, h.post_id, h.position from thread_reads h where h.user_id = ${userId}
      order by h.read_at desc limit ${sql.lit(LIMITS.unread.threads)}
    ), moved as (
      select o.topic_id, count(*)::int as threads
      from opened o join posts p on p.id = o.post_id and p.comment_position > o.position
        and p.deleted_at is null and p.hidden_at is null
      join mine on mine.id = o.topic_id
      -- Not exists(), which the planner may turn into a join that reads a thread from its beginning.
      where (select true from ${fresh("comments", sql`o.post_id`, sql`o.position`, reader)} limit 1)
      group by o.topic_id
    )
    select mine.id, mine.visibility, mine.role, mine.reprove_by, mine.is_muted,
      case when mine.post_position > mine.posts_read
        then ${freshCount("posts", sql`mine.id`, sql`mine.posts_read`, reader)} else 0 end as posts,
      case when mine.chat_position > mine.chat_read
        then ${freshCount("chat", sql`mine.id`, sql`mine.chat_read`, reader)} else 0 end as chat,
      coalesce(moved.threads, 0) as threads
    from mine left join moved on moved.topic_id = mine.id
    order by mine.last_activity_at desc, mine.id desc`.compile(db);
});
