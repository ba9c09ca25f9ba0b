import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract, Role } from "@/lib/contract";
import type { ThreadLevel } from "@/lib/contract/notification-kinds";
import type { ThreadReading, TopicReading } from "@/lib/contract/reading";
import { isStaff } from "@/lib/policy/decision";
import { authorizePost } from "../posts/load";
import { authorizeTopic } from "../topics/load";
import { fresh, freshCount, type Items, type Reader, shown } from "./unread";

/** A member with their role in the topic. */
interface Member {
  readonly userId: string;
  readonly role: Role | null;
}

interface State {
  readonly new: number;
  readonly first: string | null;
  readonly last: string | null;
}

/** GET /api/topics/{topicId}/read */
export const getTopicReading: Handler<typeof contract.reading.topic> = async (
  { caller, db },
  { topicId },
) => {
  const topic = await authorizeTopic(db, topicId, caller, "inside");
  return await topicReading(db, topicId, { userId: caller.userId, role: topic.role });
};

/** GET /api/posts/{postId}/read */
export const getThreadReading: Handler<typeof contract.reading.thread> = async (
  { caller, db },
  { postId },
) => {
  const post = await authorizePost(db, postId, caller, "bookmark");
  return await threadReading(db, postId, { userId: caller.userId, role: post.role });
};

/** Returns how far a member has read a topic. */
export async function topicReading(db: Db, topicId: string, member: Member): Promise<TopicReading> {
  const reader = readerOf(member);
  const { rows } = await sql<{ read_at: Date | null; posts: State; chat: State }>`
    with mark as (
      select coalesce(r.post_position, 0) as posts, coalesce(r.chat_position, s.position, 0) as chat, r.read_at
      from (select ${topicId}::uuid as id) t
      left join topic_reads r on r.topic_id = t.id and r.user_id = ${member.userId}
      left join chat_starts s on s.topic_id = t.id
    )
    select mark.read_at, ${stateOf("posts", topicId, "mark.posts", reader)} as posts,
      ${stateOf("chat", topicId, "mark.chat", reader)} as chat
    from mark`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("a select of one row gives one");
  return { readAt: row.read_at?.toISOString() ?? null, posts: row.posts, chat: row.chat };
}

/** Returns how far a member has read the comments of a post. Nothing is new before they first did. */
export async function threadReading(db: Db, postId: string, member: Member): Promise<ThreadReading> {
  const { rows } = await sql<{ read_at: Date | null; level: ThreadLevel; state: State }>`
    with mark as (
      select h.position, h.read_at from (select 1) one
      left join thread_reads h on h.post_id = ${postId} and h.user_id = ${member.userId}
    )
    select mark.read_at, coalesce((select l.level from thread_levels l
        where l.user_id = ${member.userId} and l.post_id = ${postId}), 'follow') as level, ${stateOf("comments", postId, "mark.position", readerOf(member))} as state from mark`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error("a select of one row gives one");
  return { readAt: row.read_at?.toISOString() ?? null, level: row.level, ...row.state };
}

function readerOf({ userId, role }: Member): Reader {
  return { userId, seesAll: sql.lit(isStaff(role)) };
}

/** SQL: a `State` as JSON. @param mark name of the position up to which the member has read; nothing is new after null */
function stateOf(kind: Items, parent: string, mark: string, reader: Reader) {
  const after = sql.ref(mark);
  return sql`json_build_object(
    'new', ${freshCount(kind, parent, after, reader)},
    'first', (select i.id from ${fresh(kind, parent, after, reader)} order by i.position limit 1),
    'last', (select i.id from ${shown(kind, parent)} order by i.position desc limit 1))`;
}
