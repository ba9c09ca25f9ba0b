/** Paths of this site for pages, notifications and push messages. */

/** Returns the path of a comment: its post, on the comment's page. @param commentId null for the post itself */
export function commentPlace(postId: string, commentId: string | null): string {
  return commentId ? `/posts/${postId}?comment=${commentId}` : `/posts/${postId}`;
}

/** Returns the path of a member's page (next.config.ts). */
export function personPath(nickname: string): string {
  return `/@${nickname}`;
}

/**
 * Returns a URL from a query (`?next=`, `?to=`) as a path of this site, or null for anything else. The result parses
 * as a path everywhere: dot segments are resolved after the browser looks for a host, so `/.//evil.example` is a path
 * here, but would be a host where the result is used again.
 */
export function pathHere(value: string | null | undefined): string | null {
  if (!value?.startsWith("/")) return null;
  const here = "http://here.invalid";
  const url = URL.parse(value, here);
  if (url?.origin !== here) return null;
  const path = `${url.pathname}${url.search}`;
  return URL.parse(path, here)?.pathname === url.pathname ? path : null;
}

/** Returns where a new member goes once they have a nickname. @param next path that they signed in for */
export function firstPlace(next: string): string {
  return next === "/" ? "/welcome" : next;
}
