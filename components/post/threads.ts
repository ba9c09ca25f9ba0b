import type { Comment } from "@/lib/contract";
import type { CommentSort } from "@/lib/contract/comments";

/** Deeper replies show at this level, so that long threads stay readable on a phone. */
export const MAX_DEPTH = 8;
/** A comment with more replies than this, on all levels, starts collapsed. */
export const COLLAPSED_ABOVE = 20;

export interface Thread {
  readonly comment: Comment;
  readonly depth: number;
  readonly replies: readonly Thread[];
  /** Number of replies on all levels. */
  readonly size: number;
  /**
   * The comment it replies to, where its position does not show it; `"elsewhere"` for a comment on another page. Null for
   * a reply directly below its parent, and for a comment on the post.
   */
  readonly answers: Comment | "elsewhere" | null;
}

/**
 * Groups a flat list into threads, each level in the list's order, except that "new" puts what the reader just wrote
 * first. A reply whose parent is on another page is at the top level.
 */
export function buildThreads(comments: readonly Comment[], sort: CommentSort = "old"): readonly Thread[] {
  const list =
    sort === "new" ? [...comments].sort((a, b) => b.createdAt.localeCompare(a.createdAt)) : comments;
  const known = new Map(comments.map((c) => [c.id, c]));
  const children = new Map<string | null, Comment[]>();
  for (const comment of list) {
    const parent = comment.parentId && known.has(comment.parentId) ? comment.parentId : null;
    children.set(parent, [...(children.get(parent) ?? []), comment]);
  }
  const below = (parent: Comment | null, depth: number, isFlat: boolean): Thread[] =>
    (children.get(parent?.id ?? null) ?? []).flatMap((comment): Thread[] => {
      const isElsewhere = parent === null && comment.parentId !== null;
      const answers = isElsewhere ? "elsewhere" : isFlat ? parent : null;
      if (depth >= MAX_DEPTH - 1) {
        return [{ comment, depth, replies: [], size: 0, answers }, ...below(comment, depth, true)];
      }
      const replies = below(comment, depth + 1, false);
      const size = replies.reduce((sum, reply) => sum + 1 + reply.size, 0);
      return [{ comment, depth, replies, size, answers }];
    });
  return below(null, 0, false);
}

/** Returns the ids of a comment's ancestors in the list. */
export function idsAbove(comments: readonly Comment[], id: string | null): ReadonlySet<string> {
  const parents = new Map(comments.map((c) => [c.id, c.parentId]));
  const above = new Set<string>();
  for (let at = id && parents.get(id); at && !above.has(at); at = parents.get(at) ?? null) above.add(at);
  return above;
}
