import { sha256, toHex } from "viem";

/** What the hash of the first root is chained to. */
export const NO_ROOT = "0".repeat(64);

/** What is published of a crowd. */
export interface PublishedRoot {
  readonly topicId: string;
  readonly number: number;
  readonly root: string;
  readonly size: number;
  readonly publishedAt: Date;
}

/** Returns the hash of a root in its topic's list: SHA-256, in hex, over the hash of the one before and this one as JSON. */
export function rootHash(
  before: string,
  { topicId, number, root, size, publishedAt }: PublishedRoot,
): string {
  const text = JSON.stringify([before, topicId, number, root, size, publishedAt.toISOString()]);
  return sha256(toHex(text)).slice(2);
}

/** Returns whether a list has every root of a topic from the first on, in any order, each chained to the one before. */
export function isRootList(roots: readonly (PublishedRoot & { readonly hash: string })[]): boolean {
  let before = NO_ROOT;
  return roots
    .toSorted((a, b) => a.number - b.number)
    .every(({ hash, ...root }, at) => {
      const holds = root.number === at + 1 && hash === rootHash(before, root);
      before = hash;
      return holds;
    });
}
