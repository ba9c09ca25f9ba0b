import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { actsAsOperator } from "@/lib/policy/decision";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { countPost } from "../counters";
import { logOperatorAct } from "../desk/log";
import { logStaffAct } from "../moderation/log";
import { byOperators, notify } from "../notifications/notify";
import { topicScoreLater } from "../topics/score";
import { markPicturesRemoved } from "../uploads/of-post";
import { removeUploads } from "../uploads/store";
import { type Effects, write } from "../write";
import { authorizeLockedPost, type LockedPost } from "./load";
import { removePoll } from "./poll";
import { replaceTags } from "./tags";
import { taggedPost } from "./update";

/**
 * DELETE /api/posts/{postId}: deletes text, media, poll, tags, and the pictures that the author uploaded for it. The
 * row remains, with the page, comments, votes and reactions and their counts. Bookmarks go too, since nobody could
 * remove them. The topic's log, that of the installation and the author learn the reason.
 */
export const deletePost: Handler<typeof contract.posts.delete> = async (ctx, { postId, reason }) => {
  const { topicId, pictures } = await write(ctx, (trx, effects) =>
    deletePostWithin(trx, effects, ctx, { postId, reason }),
  );
  // Before the response: someone who deletes a picture relies on it being gone.
  await removeUploads(ctx, pictures);
  topicScoreLater(ctx, topicId);
  return { id: postId, isDeleted: true, success: true };
};

interface Deletion {
  readonly postId: string;
  readonly reason: string | undefined;
  /** Whether an operator decides a report, which counts as their act also where they are of the topic's staff. */
  readonly fromDesk?: boolean;
}

/**
 * Deletes a post in a transaction, with the entries of the logs and the author's notification.
 * @returns its topic, and the keys of pictures for `removeUploads` after the commit
 * @throws Refusal post_not_found, not_a_member, role_required; fresh_proof_required for an operator
 */
export async function deletePostWithin(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { postId, reason, fromDesk = false }: Deletion,
): Promise<{ readonly topicId: string; readonly pictures: readonly string[] }> {
  const { caller } = ctx;
  const now = ctx.now();
  const post = await authorizeLockedPost(trx, postId, caller, "delete");
  const asOperator = fromDesk || actsAsOperator(post);
  if (asOperator) assertFreshProof(ctx);
  // The log locks the topic's row, which comes before those of the pictures, as when a post is written.
  if (!post.mine || fromDesk) {
    await logStaffAct(trx, {
      topicId: post.topic_id,
      actorId: caller.userId,
      action: "post_deleted",
      now,
      subjectId: post.author_id,
      postId,
      reason,
    });
  }
  const pictures = await clearPost(trx, post, caller.userId, now);
  const act = { topicId: post.topic_id, actorId: caller.userId, now };
  if (asOperator) {
    const target = { targetKind: "post", targetId: postId } as const;
    await logOperatorAct(trx, { ...act, ...target, role: "operator", action: "post_deleted", reason });
  }
  // notify() leaves out authors who delete their own post.
  const details = byOperators(asOperator);
  await notify(trx, effects, act, [{ kind: "post_removed", to: [post.author_id], postId, reason, details }]);
  await countPost(trx, effects.appended, post.topic_id, { posts: -1, activeAt: null });
  return { topicId: post.topic_id, pictures };
}

/**
 * Deletes what a locked post says and shows; the row remains. `countPost` follows, last.
 * @returns keys of pictures for `removeUploads` after the commit
 */
export async function clearPost(
  trx: Trx,
  post: LockedPost,
  deletedBy: string,
  now: Date,
): Promise<readonly string[]> {
  const pictures = await markPicturesRemoved(trx, post, post.mine);
  await trx
    .updateTable("posts")
    .set({
      title: "",
      content: "",
      summary: "",
      media: sql`'{"images": [], "videos": []}'::jsonb`,
      is_pinned: false,
      updated_at: now,
      deleted_at: now,
      deleted_by: deletedBy,
    })
    .where("id", "=", post.id)
    .execute();
  await trx.deleteFrom("post_search").where("post_id", "=", post.id).execute();
  await trx.deleteFrom("bookmarks").where("post_id", "=", post.id).execute();
  await trx.deleteFrom("mentions").where("post_id", "=", post.id).where("comment_id", "is", null).execute();
  await removePoll(trx, post.id);
  await replaceTags(trx, taggedPost(post), [], now);
  return pictures;
}
