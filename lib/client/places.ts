/** Addresses of what people link to on this site, for pages, alerts and push messages alike. */

/**
 * Path of a comment: its post, at the page of comments on which it stands.
 * @param commentId null for the post itself
 */
export function commentPlace(postId: string, commentId: string | null): string {
  return commentId ? `/posts/${postId}?comment=${commentId}` : `/posts/${postId}`;
}
