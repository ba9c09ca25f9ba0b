import type { Client } from "@/components/call-api";

/** A comment, or a post when `commentId` is null. */
export interface Target {
  readonly postId: string;
  readonly commentId: string | null;
}

/** Hides a post or comment, or shows it again. */
export function hideContent(
  { api, contract }: Client,
  { postId, commentId }: Target,
  hidden: boolean,
  reason?: string,
): Promise<unknown> {
  return commentId
    ? api.call(contract.moderation.hideComment, { commentId, hidden, reason })
    : api.call(contract.moderation.hidePost, { postId, hidden, reason });
}

/** Deletes a post or comment permanently. */
export function removeContent(
  { api, contract }: Client,
  { postId, commentId }: Target,
  reason?: string,
): Promise<unknown> {
  return commentId
    ? api.call(contract.comments.delete, { commentId, reason })
    : api.call(contract.posts.delete, { postId, reason });
}
