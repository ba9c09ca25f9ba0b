import type { Comment } from "@/lib/contract";

/** Deeper replies stand at this level, so that a long exchange stays readable on a phone. */
export const maxDepth = 8;
/** A comment with more replies than this, all levels counted, shows them when asked. */
export const foldedAbove = 20;

export interface Thread {
  readonly comment: Comment;
  readonly depth: number;
  readonly replies: readonly Thread[];
  /** Replies of all levels. */
  readonly size: number;
  /**
   * What it answers, where its place does not show it: the comment of this page, or `"elsewhere"` on another page. Null
   * where it stands below what it answers, or answers the post.
   */
  readonly answers: Comment | "elsewhere" | null;
}

/** A flat list, oldest first, as threads. A reply whose parent is on another page stands at the top. */
export function buildThreads(comments: readonly Comment[]): readonly Thread[] {
  const known = new Map(comments.map((c) => [c.id, c]));
  const children = new Map<string | null, Comment[]>();
  for (const comment of comments) {
    const parent = comment.parentId && known.has(comment.parentId) ? comment.parentId : null;
    children.set(parent, [...(children.get(parent) ?? []), comment]);
  }
  const below = (parent: Comment | null, depth: number, isFlat: boolean): Thread[] =>
    (children.get(parent?.id ?? null) ?? []).flatMap((comment): Thread[] => {
      const isElsewhere = parent === null && comment.parentId !== null;
      const answers = isElsewhere ? "elsewhere" : isFlat ? parent : null;
      if (depth >= maxDepth - 1) {
        return [{ comment, depth, replies: [], size: 0, answers }, ...below(comment, depth, true)];
      }
      const replies = below(comment, depth + 1, false);
      const size = replies.reduce((sum, reply) => sum + 1 + reply.size, 0);
      return [{ comment, depth, replies, size, answers }];
    });
  return below(null, 0, false);
}

/** Ids of the comments above one, as far as they are among these. */
export function idsAbove(comments: readonly Comment[], id: string | null): ReadonlySet<string> {
  const parents = new Map(comments.map((c) => [c.id, c.parentId]));
  const above = new Set<string>();
  for (let at = id && parents.get(id); at && !above.has(at); at = parents.get(at) ?? null) above.add(at);
  return above;
}
