import { sql } from "kysely";
import type { Trx } from "@/db/schema";

/** User ids of a topic's owner and admins. */
export async function staffOf(trx: Trx, topicId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom("memberships")
    .select("user_id")
    .where("topic_id", "=", topicId)
    .where("role", "in", ["owner", "admin"])
    .execute();
  return rows.map((row) => row.user_id);
}

/** A post (comment null) or comment that was reported. */
export interface Reported {
  readonly topicId: string;
  readonly postId: string;
  readonly commentId: string | null;
}

/**
 * Those of the staff in whose inbox no report of the same thing waits unread. Asked under the post's lock, where
 * reports of one thing queue.
 */
export async function staffToTellOf(trx: Trx, { topicId, postId, commentId }: Reported): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from memberships m
    where m.topic_id = ${topicId} and m.role in ('owner', 'admin') and not exists (
      select from notifications n where n.user_id = m.user_id and n.read_at is null and n.kind = 'report_opened'
        and n.post_id = ${postId} and n.comment_id is not distinct from ${commentId}::uuid)`.execute(trx);
  return rows.map((row) => row.user_id);
}
