import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { actsAsOperator, assertAllowed, type Viewer } from "@/lib/policy/decision";
import { type CommentAccess, commentAccess } from "@/lib/policy/post";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { countComment } from "../counters";
import { logOperatorAct } from "../desk/log";
import { namesInText } from "../mentions/find";
import { replaceMentions } from "../mentions/store";
import { logStaffAct } from "../moderation/log";
import { byOperators, notify } from "../notifications/notify";
import { type Keep, type LockedPost, lockPost } from "../posts/load";
import { searchText } from "../text-search";
import { assertAllowedIn } from "../topics/membership-rules";
import { assertUsage } from "../trust/accounts";
import { assertNotRepeated } from "../trust/repeated";
import { usageOfText } from "../trust/texts";
import { assertLinksAllowed, heldNotifications, isHeld, logHeld } from "../trust/topic-rules";
import { claimUploadsIn } from "../uploads/used";
import { viewerOf } from "../viewer";
import { type Effects, write } from "../write";
import { type CommentRow, commentView, loadComments } from "./load";

/** PATCH /api/comments/{commentId}: the author changes the text. This does not count as activity. */
export const updateComment: Handler<typeof contract.comments.update> = async (
  ctx,
  { commentId, content },
) => {
  const { caller } = ctx;
  const now = ctx.now();
  return await write(ctx, async (trx, effects) => {
    const { post, viewer, comment, access } = await lockComment(trx, ctx, commentId);
    await assertAllowedIn(trx, access.edit, post.topic_id, caller);
    const usage = usageOfText(content);
    await assertUsage(trx, ctx, usage);
    const writer = { ...post, topicId: post.topic_id };
    await assertLinksAllowed(trx, ctx, writer, usage);
    await assertNotRepeated(trx, ctx, { postId: post.id, commentId, words: content, usage });
    const held = comment.hidden_at === null && isHeld(writer, content);
    const heldText = { topicId: post.topic_id, authorId: caller.userId, postId: post.id, commentId };
    if (held) await logHeld(trx, heldText, now);
    await claimUploadsIn(trx, content);
    await trx
      .updateTable("comments")
      .set({
        content,
        updated_at: now,
        ...(caller.automation && { automated: true }),
        ...(held && { hidden_at: now }),
      })
      .where("id", "=", commentId)
      .execute();
    await trx
      .updateTable("comment_search")
      .set({ text: searchText(content) })
      .where("comment_id", "=", commentId)
      .execute();
    const place = { topicId: post.topic_id, postId: post.id, commentId };
    const named = await replaceMentions(trx, place, namesInText(content));
    // Nobody it mentions can read it while it is hidden.
    const to = comment.hidden_at ? [] : named;
    const act = { topicId: post.topic_id, actorId: caller.userId, now };
    if (held) {
      await notify(trx, effects, { ...act, actorId: null }, await heldNotifications(trx, heldText));
    } else await notify(trx, effects, act, [{ kind: "mention", to, postId: post.id, commentId }]);
    const changed = await readComment(trx, commentId, caller.userId);
    return { comment: commentView(changed, { post, viewer, callerId: caller.userId }) };
  });
};

/**
 * DELETE /api/comments/{commentId}: deletes the text; the comment keeps its place in the thread. `deletedBy` is
 * "author" for the caller's own comments and "admin" for all others, which are logged.
 */
export const deleteComment: Handler<typeof contract.comments.delete> = async (ctx, { commentId, reason }) => {
  const deletedBy = await write(ctx, (trx, effects) =>
    deleteCommentWithin(trx, effects, ctx, { commentId, reason }),
  );
  return { success: true, deletedBy };
};

interface Deletion {
  readonly commentId: string;
  readonly reason: string | undefined;
  /** Whether an operator decides a report, which counts as their act also where they are of the topic's staff. */
  readonly fromDesk?: boolean;
}

/**
 * Deletes a comment in a transaction, with the entries of the logs and the author's notification.
 * @throws Refusal comment_not_found, not_a_member, role_required; fresh_proof_required for an operator
 */
export async function deleteCommentWithin(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { commentId, reason, fromDesk = false }: Deletion,
): Promise<"author" | "admin"> {
  const { caller } = ctx;
  const now = ctx.now();
  const { post, comment, access } = await lockComment(trx, ctx, commentId);
  assertAllowed(access.delete);
  const deletedBy = comment.author_id === caller.userId && !fromDesk ? "author" : "admin";
  const asOperator = fromDesk || (deletedBy === "admin" && actsAsOperator({ mine: false, role: post.role }));
  if (asOperator) assertFreshProof(ctx);
  await clearComment(trx, { postId: post.id, commentId }, deletedBy, now);
  if (deletedBy === "admin") {
    const act = { topicId: post.topic_id, actorId: caller.userId, now };
    const about = { postId: post.id, commentId, reason };
    const action = "comment_deleted";
    await logStaffAct(trx, { ...act, ...about, action, subjectId: comment.author_id });
    if (asOperator) {
      const target = { targetKind: "comment", targetId: commentId } as const;
      await logOperatorAct(trx, { ...act, ...target, role: "operator", action, reason });
    }
    const to = [comment.author_id];
    const details = byOperators(asOperator);
    await notify(trx, effects, act, [{ ...about, kind: "comment_removed", to, details }]);
  }
  await countComment(trx, effects.appended, post.id, { comments: -1, activeAt: null });
  return deletedBy;
}

/** Deletes what a comment says; it keeps its place in the thread. `countComment` follows, last. */
export async function clearComment(
  trx: Trx,
  { postId, commentId }: { readonly postId: string; readonly commentId: string },
  deletedBy: "author" | "admin",
  now: Date,
): Promise<void> {
  await trx
    .updateTable("comments")
    .set({ content: "", updated_at: now, deleted_at: now, deleted_by: deletedBy })
    .where("id", "=", commentId)
    .execute();
  await trx.deleteFrom("comment_search").where("comment_id", "=", commentId).execute();
  await trx
    .deleteFrom("mentions")
    .where("post_id", "=", postId)
    .where("comment_id", "=", commentId)
    .execute();
}

/**
 * Locks the row of a comment's post, where every write to the comment queues, and then reads the comment.
 * @param keep "hold" for a write that only counts
 * @throws Refusal comment_not_found
 */
export async function lockComment(
  trx: Trx,
  { caller }: MemberContext,
  commentId: string,
  keep?: Keep,
): Promise<{ post: LockedPost; viewer: Viewer; comment: CommentRow; access: CommentAccess }> {
  const { post_id } = await readComment(trx, commentId, caller.userId);
  const post = await lockPost(trx, post_id, caller.userId, "comment_not_found", keep);
  const comment = await readComment(trx, commentId, caller.userId);
  const viewer = viewerOf(caller, post);
  const state = {
    deleted: comment.deleted_at !== null,
    hidden: comment.hidden_at !== null,
    mine: comment.author_id === caller.userId,
  };
  return { post, viewer, comment, access: commentAccess(state, post, viewer) };
}

async function readComment(trx: Trx, id: string, callerId: string): Promise<CommentRow> {
  const [comment] = await loadComments(trx, [id], callerId);
  if (!comment) throw new Refusal("comment_not_found");
  return comment;
}
