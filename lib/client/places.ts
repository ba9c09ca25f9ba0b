/** Addresses of what people link to on this site, for pages, alerts and push messages alike. */

/**
 * Path of a comment: its post, at the page of comments on which it stands.
 * @param commentId null for the post itself
 */
export function commentPlace(postId: string, commentId: string | null): string {
  return commentId ? `/posts/${postId}?comment=${commentId}` : `/posts/${postId}`;
}

/**
 * An address out of a query (`?next=`, `?to=`) as a path of this site, or null when it is anything else. What is
 * returned is a path under every reading: dot segments are resolved after the browser has looked for a host, so
 * `/.//evil.example` parses as a path here and would be a host wherever that path is used again.
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
