import { type RawBuilder, sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { transact } from "@/lib/sql/transact";
import { lockComment } from "../comments/change";
import { addUp, appendedNothing, countVotes } from "../counters";
import { authorizeLockedPost } from "../posts/load";
import { assertAllowedIn } from "../topics/membership-rules";
import { topicScoreLater } from "../topics/score";

type Value = 1 | -1;

/** A vote only refreshes a topic score that is older than this, since votes are not in the formula. */
const TOPIC_SCORE_AGE_MS = 60_000;

/**
 * POST /api/posts/{postId}/vote: a first vote counts, the same value again removes it, and the opposite value switches
 * it. The vote and what it adds to count and score are one transaction.
 */
export const castVote: Handler<typeof contract.posts.vote> = async (ctx, { postId, value }) => {
  const { caller, db } = ctx;
  const { vote, change, count, post, appended } = await transact(db, async (trx) => {
    const appended = appendedNothing();
    const post = await authorizeLockedPost(trx, postId, caller, "write", "hold");
    const { before, after } = await toggleVote(trx, {
      on: { table: "votes", column: "post_id", id: postId },
      userId: caller.userId,
      value,
      now: ctx.now(),
    });
    const change = (after ?? 0) - (before ?? 0);
    return { vote: after, change, post, appended, count: await countVotes(trx, appended, post, change) };
  });
  const counts = await addUp(db, appended);
  // Removing a vote is not activity (design/api.md).
  if (vote) topicScoreLater(ctx, post.topic_id, { maxAgeMs: TOPIC_SCORE_AGE_MS });
  const upvoteCount = count ?? counts.get(postId) ?? post.upvote_count + change;
  return { vote: vote && { value: vote }, upvoteCount };
};

/**
 * POST /api/comments/{commentId}/vote: as `castVote`. Votes on one comment queue at its row.
 * @throws Refusal comment_not_found; otherwise what the policy decides
 */
export const castCommentVote: Handler<typeof contract.comments.vote> = async (ctx, { commentId, value }) => {
  const { caller, db } = ctx;
  const { postId, ...result } = await transact(db, async (trx) => {
    const { post, access } = await lockComment(trx, ctx, commentId, "hold");
    await assertAllowedIn(trx, access.vote, post.topic_id, caller);
    const { before, after } = await toggleVote(trx, {
      on: { table: "comment_votes", column: "comment_id", id: commentId },
      userId: caller.userId,
      value,
      now: ctx.now(),
    });
    const change = (after ?? 0) - (before ?? 0);
    const { upvote_count } = await trx
      .updateTable("comments")
      .set((eb) => ({ upvote_count: eb("upvote_count", "+", change) }))
      .where("id", "=", commentId)
      .returning("upvote_count")
      .executeTakeFirstOrThrow();
    return { postId: post.id, vote: after && { value: after }, upvoteCount: upvote_count };
  });
  ctx.changed({ postId });
  return result;
};

interface Vote {
  readonly on:
    | { readonly table: "votes"; readonly column: "post_id"; readonly id: string }
    | { readonly table: "comment_votes"; readonly column: "comment_id"; readonly id: string };
  readonly userId: string;
  readonly value: Value;
  readonly now: Date;
}

/** Casts, switches or removes a vote. Votes of one user on one post or comment queue at its row. */
async function toggleVote(trx: Trx, vote: Vote): Promise<{ before: Value | null; after: Value | null }> {
  const { on, userId, value, now } = vote;
  const table = sql.table(on.table);
  const column = sql.ref(on.column);
  const opposite: Value = value === 1 ? -1 : 1;
  const changes = async (statement: RawBuilder<unknown>) =>
    (await statement.execute(trx)).numAffectedRows === 1n;
  const own = sql`${column} = ${on.id} and user_id = ${userId}`;
  if (
    await changes(sql`insert into ${table} (${column}, user_id, value, created_at)
      values (${on.id}, ${userId}, ${value}, ${now}) on conflict (${column}, user_id) do nothing`)
  ) {
    return { before: null, after: value };
  }
  if (await changes(sql`delete from ${table} where ${own} and value = ${value}`)) {
    return { before: value, after: null };
  }
  if (
    await changes(
      sql`update ${table} set value = ${value}, created_at = ${now} where ${own} and value = ${opposite}`,
    )
  ) {
    return { before: opposite, after: value };
  }
  // Another request of this user changed it in between.
  return await toggleVote(trx, vote);
}
