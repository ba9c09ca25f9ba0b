import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { addUp, appendedNothing, countVotes } from "../counters";
import { authorizeLockedPost } from "../posts/load";
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
  const appended = appendedNothing();
  const { vote, change, count, post } = await db.transaction().execute(async (trx) => {
    const post = await authorizeLockedPost(trx, postId, caller, "write", "hold");
    const { before, after } = await toggleVote(trx, {
      postId,
      userId: caller.userId,
      value,
      now: ctx.now(),
    });
    const change = (after ?? 0) - (before ?? 0);
    return { vote: after, change, post, count: await countVotes(trx, appended, post, change) };
  });
  const counts = await addUp(db, appended);
  // Removing a vote is not activity (design/api.md).
  if (vote) topicScoreLater(ctx, post.topic_id, { maxAgeMs: TOPIC_SCORE_AGE_MS });
  const upvoteCount = count ?? counts.get(postId) ?? post.upvote_count + change;
  return { vote: vote && { value: vote }, upvoteCount };
};

interface Vote {
  readonly postId: string;
  readonly userId: string;
  readonly value: Value;
  readonly now: Date;
}

/** Casts, switches or removes a vote. Votes of one user on one post queue at its row. */
async function toggleVote(
  trx: Trx,
  { postId, userId, value, now }: Vote,
): Promise<{ before: Value | null; after: Value | null }> {
  const inserted = await trx
    .insertInto("votes")
    .values({ post_id: postId, user_id: userId, value, created_at: now })
    .onConflict((conflict) => conflict.columns(["post_id", "user_id"]).doNothing())
    .returning("value")
    .executeTakeFirst();
  if (inserted) return { before: null, after: value };
  const removed = await trx
    .deleteFrom("votes")
    .where("post_id", "=", postId)
    .where("user_id", "=", userId)
    .where("value", "=", value)
    .returning("value")
    .executeTakeFirst();
  if (removed) return { before: value, after: null };
  const opposite: Value = value === 1 ? -1 : 1;
  const switched = await trx
    .updateTable("votes")
    .set({ value, created_at: now })
    .where("post_id", "=", postId)
    .where("user_id", "=", userId)
    .where("value", "=", opposite)
    .returning("value")
    .executeTakeFirst();
  if (switched) return { before: opposite, after: value };
  // Another request of this user changed it in between.
  return await toggleVote(trx, { postId, userId, value, now });
}
