import { commentAccess, postAccess } from "@/lib/policy/post";
import type { Verdict } from "@/lib/policy/verdict";
import type { Caller, Trx } from "../context";
import { lockPost } from "../posts/load";
import { refusal } from "../refusals";
import { viewerOf } from "../viewer";

/** A post or comment that somebody reports or hides, taken for this transaction. */
export interface Target {
  readonly topicId: string;
  readonly postId: string;
  /** Null when it is the post itself. */
  readonly commentId: string | null;
  readonly authorId: string;
  readonly hidden: boolean;
  readonly access: { readonly report: Verdict; readonly moderate: Verdict };
}

/** @throws Refusal post_not_found */
export async function lockPostTarget(trx: Trx, postId: string, caller: Caller): Promise<Target> {
  const post = await lockPost(trx, postId, caller.userId);
  return {
    topicId: post.topic_id,
    postId,
    commentId: null,
    authorId: post.author_id,
    hidden: post.hidden,
    access: postAccess(post, viewerOf(caller, post)),
  };
}

/** Takes the comment's post, then the comment: comments of one post change one after the other. */
export async function lockCommentTarget(trx: Trx, commentId: string, caller: Caller): Promise<Target> {
  const found = await trx
    .selectFrom("comments")
    .select("post_id")
    .where("id", "=", commentId)
    .executeTakeFirst();
  if (!found) throw refusal("comment_not_found");
  const post = await lockPost(trx, found.post_id, caller.userId);
  const comment = await trx
    .selectFrom("comments")
    .select(["author_id", "deleted_at", "hidden_at"])
    .where("id", "=", commentId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!comment) throw refusal("comment_not_found");
  const state = {
    deleted: comment.deleted_at !== null,
    hidden: comment.hidden_at !== null,
    mine: comment.author_id === caller.userId,
  };
  return {
    topicId: post.topic_id,
    postId: found.post_id,
    commentId,
    authorId: comment.author_id,
    hidden: state.hidden,
    access: commentAccess(state, post, viewerOf(caller, post)),
  };
}
