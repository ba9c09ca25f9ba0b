import type { Post } from "@/lib/contract";

/** A further page of a list. */
export interface PageOfPosts {
  readonly cursor: string;
  readonly posts: readonly Post[];
  readonly next: string | null;
}

const MOST_KEPT = 20;
const kept = new Map<string, readonly PageOfPosts[]>();
let owner: string | null = null;

/**
 * Pages of lists that were left, so that going back finds the same list and place. Forgets those of another reader on
 * this device.
 * @param reader user id; null for a guest
 */
export function keptPages(reader: string | null) {
  if (reader !== owner) kept.clear();
  owner = reader;
  return {
    of: (list: string): readonly PageOfPosts[] => kept.get(list) ?? [],
    keep(list: string, pages: readonly PageOfPosts[]): void {
      kept.delete(list);
      kept.set(list, pages);
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    },
  };
}
