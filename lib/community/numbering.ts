import { sql } from "kysely";
import type { Trx } from "@/db/schema";

/*
 * Posts of a topic and comments of a post have positions in the order in which readers can see them, so that a read mark
 * is one number. Times do not have this order: what was written a second ago may be committed after what was written
 * now, and a mark at the later one would hide it. The writer numbers what it wrote if it has the row that counts
 * (counters.ts). What others had to append to is numbered with its delta, before the write is answered.
 */

/** Numbers posts and comments that nobody else has yet. Call it with the rows of their posts locked, then topics. */
export async function numberPosts(trx: Trx, postIds: readonly string[]): Promise<void> {
  if (postIds.length === 0) return;
  await sql`
    with fresh as (
      select id, topic_id, row_number() over (partition by topic_id order by created_at, id) as n
      from posts where id = any(${[...postIds]}::uuid[]) and position is null
    ), moved as (
      update topics t set post_position = t.post_position + c.many
      from (select topic_id, count(*) as many from fresh group by topic_id) c where t.id = c.topic_id
      returning t.id, t.post_position - c.many as before
    )
    update posts p set position = moved.before + fresh.n
    from fresh join moved on moved.id = fresh.topic_id where p.id = fresh.id`.execute(trx);
}

/** Numbers the comments under these posts that have no number. Call it with the rows of the posts locked. */
export async function numberComments(trx: Trx, postIds: readonly string[]): Promise<void> {
  await sql`
    with fresh as (
      select id, post_id, row_number() over (partition by post_id order by created_at, id) as n
      from comments where post_id = any(${[...postIds]}::uuid[]) and position is null
    ), moved as (
      update posts p set comment_position = p.comment_position + c.many
      from (select post_id, count(*) as many from fresh group by post_id) c where p.id = c.post_id
      returning p.id, p.comment_position - c.many as before
    )
    update comments set position = moved.before + fresh.n
    from fresh join moved on moved.id = fresh.post_id where comments.id = fresh.id`.execute(trx);
}
