import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { authorizeLockedPost } from "../posts/load";
import { postScore } from "../scores";
import { topicScoreLater } from "../topics/score";

type Value = 1 | -1;

/** A vote only refreshes a topic score that is older than this, since votes are not in the formula. */
const TOPIC_SCORE_AGE_MS = 60_000;

/**
 * POST /api/posts/{postId}/vote: a first vote counts, the same value again removes it, and the opposite value switches
 * it. Vote, net count and score change in one transaction that holds the post's row.
 */
export const castVote: Handler<typeof contract.posts.vote> = async (ctx, { postId, value }) => {
  const { caller, db } = ctx;
  const { userId } = caller;
  const { vote, upvoteCount, topicId } = await db.transaction().execute(async (trx) => {
    const post = await authorizeLockedPost(trx, postId, caller, "write");
    const before = await voteOf(trx, postId, userId);
    const after = before === value ? null : value;
    await writeVote(trx, { postId, userId, value: after, now: ctx.now() });
    const count = post.upvote_count + (after ?? 0) - (before ?? 0);
    await trx
      .updateTable("posts")
      .set({ upvote_count: count, score: postScore(count, post.created_at) })
      .where("id", "=", postId)
      .execute();
    return { vote: after, upvoteCount: count, topicId: post.topic_id };
  });
  // Removing a vote is not activity (design/api.md).
  if (vote) topicScoreLater(ctx, topicId, { maxAgeMs: TOPIC_SCORE_AGE_MS });
  return { vote: vote && { value: vote }, upvoteCount };
};

async function voteOf(trx: Trx, postId: string, userId: string): Promise<Value | null> {
  const row = await trx
    .selectFrom("votes")
    .select("value")
    .where("post_id", "=", postId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.value ?? null;
}

async function writeVote(
  trx: Trx,
  vote: {
    readonly postId: string;
    readonly userId: string;
    readonly value: Value | null;
    readonly now: Date;
  },
): Promise<void> {
  const { postId, userId, value, now } = vote;
  if (value === null) {
    await trx.deleteFrom("votes").where("post_id", "=", postId).where("user_id", "=", userId).execute();
    return;
  }
  await trx
    .insertInto("votes")
    .values({ post_id: postId, user_id: userId, value, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(["post_id", "user_id"]).doUpdateSet({ value, created_at: now }),
    )
    .execute();
}
