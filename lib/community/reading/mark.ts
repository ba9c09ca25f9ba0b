import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, ErrorCode } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { transact } from "@/lib/sql/transact";
import { authorizeLockedPost, type Keep, type LockedPost } from "../posts/load";
import { authorizeTopic, type TopicRow } from "../topics/load";
import { holdTopic, roleOf } from "../topics/membership";
import { threadReading, topicReading } from "./state";
import { type Items, shown } from "./unread";

/*
 * A mark is the position up to which everything is read. Reading only moves it forward and marking as unread only back,
 * each in one statement: devices may come in any order and end at the same place.
 */

type Move = "greatest" | "least";

/** PUT /api/topics/{topicId}/read @throws Refusal topic_not_found, not_a_member, post_not_found, message_not_found */
export const readTopic: Handler<typeof contract.reading.readTopic> = async (
  ctx,
  { topicId, postId, messageId },
) => {
  const { userId } = ctx.caller;
  const all = postId === undefined && messageId === undefined;
  const { role } = await transact(ctx.db, async (trx) => {
    const topic = await holdAsMember(trx, ctx, topicId);
    const was = await topicMark(trx, topicId, userId);
    await moveTopic(trx, ctx, topicId, was, "greatest", {
      posts: postId ? await upTo(trx, "posts", topicId, postId, was.posts) : all ? was.last_post : null,
      chat: messageId ? await positionOf(trx, "chat", topicId, messageId) : all ? was.last_entry : null,
    });
    return topic;
  });
  return await topicReading(ctx.db, topicId, { userId, role });
};

/** PUT /api/topics/{topicId}/unread @throws Refusal as `readTopic` */
export const unreadTopic: Handler<typeof contract.reading.unreadTopic> = async (
  ctx,
  { topicId, postId, messageId },
) => {
  const { userId } = ctx.caller;
  const { role } = await transact(ctx.db, async (trx) => {
    const topic = await holdAsMember(trx, ctx, topicId);
    const was = await topicMark(trx, topicId, userId);
    await moveTopic(trx, ctx, topicId, was, "least", {
      posts: postId ? before(await positionOf(trx, "posts", topicId, postId)) : null,
      chat: messageId ? before(await positionOf(trx, "chat", topicId, messageId)) : null,
    });
    return topic;
  });
  return await topicReading(ctx.db, topicId, { userId, role });
};

/** PUT /api/posts/{postId}/read @throws Refusal post_not_found, not_a_member, comment_not_found */
export const readThread: Handler<typeof contract.reading.readThread> = async (ctx, { postId, commentId }) => {
  const { userId } = ctx.caller;
  const { role } = await transact(ctx.db, async (trx) => {
    const post = await holdThread(trx, ctx, postId);
    const was = await threadMark(trx, postId, userId);
    const all = commentId === undefined ? was.last : 0;
    const to = commentId ? await upTo(trx, "comments", postId, commentId, was.position) : all;
    // Without a number yet, it is new. That the thread was opened counts all the same.
    await moveThread(trx, ctx, post, "greatest", to ?? 0);
    return post;
  });
  return await threadReading(ctx.db, postId, { userId, role });
};

/** PUT /api/posts/{postId}/unread @throws Refusal as `readThread` */
export const unreadThread: Handler<typeof contract.reading.unreadThread> = async (
  ctx,
  { postId, commentId },
) => {
  const { userId } = ctx.caller;
  const { role } = await transact(ctx.db, async (trx) => {
    const post = await holdThread(trx, ctx, postId);
    const to = before(await positionOf(trx, "comments", postId, commentId));
    if (to !== null) await moveThread(trx, ctx, post, "least", to);
    return post;
  });
  return await threadReading(ctx.db, postId, { userId, role });
};

/** Deletes marks of threads that their readers did not open for long. */
export async function forgetOldThreads(db: Db, now: Date): Promise<void> {
  const ms = LIMITS.unread.threadDays * 24 * 60 * 60 * 1000;
  await db
    .deleteFrom("thread_reads")
    .where("read_at", "<", new Date(now.getTime() - ms))
    .execute();
}

/** Keeps a topic and its members as they are. @throws Refusal unless the caller is one of them */
async function holdAsMember(trx: Trx, { caller }: MemberContext, topicId: string): Promise<TopicRow> {
  await holdTopic(trx, topicId);
  return await authorizeTopic(trx, topicId, caller, "inside");
}

/**
 * As `holdAsMember`, for a post. Its topic is kept by the first statement, whose memberships may be older.
 * @throws Refusal post_not_found, not_a_member
 */
export async function holdThread(
  trx: Trx,
  { caller }: MemberContext,
  postId: string,
  keep: Keep = "hold",
): Promise<LockedPost> {
  const post = await authorizeLockedPost(trx, postId, caller, "bookmark", keep);
  const role = await roleOf(trx, post.topic_id, caller.userId);
  if (!role) throw new Refusal("not_a_member");
  return post;
}

interface TopicMark {
  readonly posts: number;
  readonly chat: number;
  readonly last_post: number;
  readonly last_entry: number;
}

async function topicMark(trx: Trx, topicId: string, userId: string): Promise<TopicMark> {
  const { rows } = await sql<TopicMark>`
    select coalesce(r.post_position, 0) as posts, coalesce(r.chat_position, s.position, 0) as chat,
      t.post_position as last_post, coalesce(c.last_position, 0) as last_entry
    from topics t
    left join chat_rooms c on c.topic_id = t.id
    left join chat_starts s on s.topic_id = t.id
    left join topic_reads r on r.topic_id = t.id and r.user_id = ${userId}
    where t.id = ${topicId}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Refusal("topic_not_found");
  return row;
}

async function threadMark(
  trx: Trx,
  postId: string,
  userId: string,
): Promise<{ readonly position: number; readonly last: number }> {
  const { rows } = await sql<{ position: number; last: number }>`
    select coalesce(h.position, 0) as position, p.comment_position as last
    from posts p left join thread_reads h on h.post_id = p.id and h.user_id = ${userId}
    where p.id = ${postId}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Refusal("post_not_found");
  return row;
}

/** @param to null for what stays as it is */
async function moveTopic(
  trx: Trx,
  { caller, now }: MemberContext,
  topicId: string,
  was: TopicMark,
  move: Move,
  to: { readonly posts: number | null; readonly chat: number | null },
): Promise<void> {
  const by = sql.raw(move);
  await sql`
    insert into topic_reads as r (user_id, topic_id, post_position, chat_position, read_at)
    values (${caller.userId}, ${topicId}, ${by}(${was.posts}::bigint, ${to.posts}::bigint),
      ${by}(${was.chat}::bigint, ${to.chat}::bigint), ${now()})
    on conflict (user_id, topic_id) do update set read_at = greatest(r.read_at, excluded.read_at),
      post_position = ${by}(r.post_position, ${to.posts}::bigint),
      chat_position = ${by}(r.chat_position, ${to.chat}::bigint)`.execute(trx);
}

interface ThreadOf {
  readonly id: string;
  readonly topic_id: string;
}

/** Moves the mark of a thread, unless its reader wants nothing counted there. */
async function moveThread(
  trx: Trx,
  { caller, now }: MemberContext,
  post: ThreadOf,
  move: Move,
  to: number,
): Promise<void> {
  await sql`
    insert into thread_reads as h (user_id, post_id, topic_id, position, read_at)
    select ${caller.userId}::text, ${post.id}::uuid, ${post.topic_id}::uuid, ${to}::bigint, ${now()}::timestamptz
    where not exists (select from thread_levels l
      where l.user_id = ${caller.userId} and l.post_id = ${post.id} and l.level in ('normal', 'mute'))
    on conflict (user_id, post_id) do update set read_at = greatest(h.read_at, excluded.read_at),
      position = ${sql.raw(move)}(h.position, excluded.position)`.execute(trx);
}

/** Counts what is new in a thread from now on, or from where its reader has read. */
export async function countThread(trx: Trx, ctx: MemberContext, post: ThreadOf): Promise<void> {
  const { userId } = ctx.caller;
  const { readAt } = await threadReading(trx, post.id, { userId, role: null });
  if (readAt !== null) return;
  const { last } = await threadMark(trx, post.id, userId);
  await moveThread(trx, ctx, post, "greatest", last);
}

/** Counts nothing in a thread any more. */
export async function forgetThread(trx: Trx, { caller }: MemberContext, postId: string): Promise<void> {
  await trx
    .deleteFrom("thread_reads")
    .where("user_id", "=", caller.userId)
    .where("post_id", "=", postId)
    .execute();
}

const gone: Readonly<Record<Items, { code: ErrorCode; field: string }>> = {
  posts: { code: "post_not_found", field: "postId" },
  chat: { code: "message_not_found", field: "messageId" },
  comments: { code: "comment_not_found", field: "commentId" },
};
const places: Readonly<Record<Items, { table: string; parent: string }>> = {
  posts: { table: "posts", parent: "topic_id" },
  chat: { table: "chat_messages", parent: "topic_id" },
  comments: { table: "comments", parent: "post_id" },
};

/** @returns null for what has no number yet, and is new to everyone @throws Refusal unless it is in that place */
async function positionOf(trx: Trx, kind: Items, parentId: string, id: string): Promise<number | null> {
  const { table, parent } = places[kind];
  const { rows } = await sql<{ position: number | null }>`select position from ${sql.table(table)}
    where id = ${id} and ${sql.ref(parent)} = ${parentId}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Refusal(gone[kind].code, { field: gone[kind].field });
  return row.position;
}

/**
 * Returns the position up to which everything is read when a list in the order of time was read up to an item. The two
 * orders differ for what was written at once: an item that the list shows further down may have a lower position.
 */
async function upTo(
  trx: Trx,
  kind: "posts" | "comments",
  parentId: string,
  id: string,
  after: number,
): Promise<number | null> {
  const position = await positionOf(trx, kind, parentId, id);
  if (position === null) return null;
  const { rows } = await sql<{ position: number }>`
    select i.position from ${shown(kind, parentId)} and i.position > ${after} and i.position < ${position}
      and (i.created_at, i.id) > (select n.created_at, n.id from ${sql.table(kind)} n where n.id = ${id})
    order by i.position limit 1`.execute(trx);
  return before(rows[0]?.position ?? position + 1);
}

/** Returns the mark before an item; null for no item. */
function before(position: number | null): number | null {
  return position === null ? null : Math.max(0, position - 1);
}
