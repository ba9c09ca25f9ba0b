import type { Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { Decision } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { topicAccess } from "@/lib/policy/topic";
import { lockComment } from "../comments/change";
import { lockPost } from "../posts/load";
import { viewerOf } from "../viewer";

/** A post or comment to report or hide, locked for this transaction. */
export interface Target {
  readonly topicId: string;
  readonly postId: string;
  /** Null for the post itself. */
  readonly commentId: string | null;
  readonly authorId: string;
  readonly hidden: boolean;
  /** Whether the caller hides it as an operator, and not as the topic's staff. */
  readonly asOperator: boolean;
  readonly access: { readonly report: Decision; readonly hide: Decision };
}

/** A comment to report or hide, with its text. */
interface CommentTarget extends Target {
  readonly commentId: string;
  readonly content: string;
}

/** @throws Refusal post_not_found */
export async function lockPostTarget(trx: Trx, postId: string, { caller }: MemberContext): Promise<Target> {
  const post = await lockPost(trx, postId, caller.userId);
  const viewer = viewerOf(caller, post);
  return {
    topicId: post.topic_id,
    postId,
    commentId: null,
    authorId: post.author_id,
    hidden: post.hidden,
    asOperator: topicAccess(post, viewer).moderate !== "allowed",
    access: postAccess(post, viewer),
  };
}

/** @throws Refusal comment_not_found */
export async function lockCommentTarget(
  trx: Trx,
  commentId: string,
  ctx: MemberContext,
): Promise<CommentTarget> {
  const { post, viewer, comment, access } = await lockComment(trx, ctx, commentId);
  return {
    topicId: post.topic_id,
    postId: post.id,
    commentId,
    authorId: comment.author_id,
    hidden: comment.hidden_at !== null,
    asOperator: topicAccess(post, viewer).moderate !== "allowed",
    access,
    content: comment.content,
  };
}
