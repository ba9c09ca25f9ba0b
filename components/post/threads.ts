import type { Comment } from "@/lib/contract";

/** Deeper replies stand at this level, so that a long exchange stays readable on a phone. */
export const maxDepth = 8;

export interface Thread {
  readonly comment: Comment;
  readonly depth: number;
  readonly replies: readonly Thread[];
}

/** A flat list, oldest first, as threads. A reply whose parent is on another page stands at the top. */
export function buildThreads(comments: readonly Comment[]): readonly Thread[] {
  const known = new Set(comments.map((c) => c.id));
  const children = new Map<string | null, Comment[]>();
  for (const comment of comments) {
    const parent = comment.parentId && known.has(comment.parentId) ? comment.parentId : null;
    children.set(parent, [...(children.get(parent) ?? []), comment]);
  }
  const below = (parent: string | null, depth: number): Thread[] =>
    (children.get(parent) ?? []).flatMap((comment): Thread[] =>
      depth < maxDepth - 1
        ? [{ comment, depth, replies: below(comment.id, depth + 1) }]
        : [{ comment, depth, replies: [] }, ...below(comment.id, depth)],
    );
  return below(null, 0);
}
