import { nodeOf } from "./hash";

/** Levels of a crowd's tree: it has 2^20 places. */
export const TREE_DEPTH = 20;
/** An empty place, that of someone who left among them. */
export const EMPTY_LEAF = 0n;

/** Hashes between two pauses: some ten milliseconds. */
const HASHES_AT_ONCE = 32;

/** The roots of empty trees, by their number of levels. */
const empty: bigint[] = [EMPTY_LEAF];
for (let level = 0; level < TREE_DEPTH; level++) {
  const below = empty[level] ?? EMPTY_LEAF;
  empty.push(nodeOf(below, below));
}

/** A crowd's tree. Its nodes are kept, so that a change costs one hash for each level. */
export class CrowdTree {
  /** The nodes of each level, from the leaves up, without the empty ones after the last. */
  readonly #levels: bigint[][] = Array.from({ length: TREE_DEPTH + 1 }, () => []);

  /**
   * Makes the tree of these leaves. Lets other work go on in between: a crowd of ten thousand takes seconds.
   * @param leaves by place; `EMPTY_LEAF` where there is none
   * @throws RangeError when there are more than 2^20
   */
  static async of(leaves: readonly bigint[]): Promise<CrowdTree> {
    if (leaves.length > 2 ** TREE_DEPTH) throw new RangeError(`a crowd has at most 2^${TREE_DEPTH} places`);
    const tree = new CrowdTree();
    tree.#levels[0] = [...leaves];
    let hashes = 0;
    for (let level = 1; level <= TREE_DEPTH; level++) {
      const size = Math.ceil((tree.#levels[level - 1]?.length ?? 0) / 2);
      for (let at = 0; at < size; at++) {
        tree.#renew(level, at);
        if (++hashes % HASHES_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
      }
    }
    return tree;
  }

  /** The root, which stands for the whole crowd. */
  get root(): bigint {
    return this.#node(TREE_DEPTH, 0);
  }

  /** The leaves, by place. */
  get leaves(): readonly bigint[] {
    return this.#levels[0] ?? [];
  }

  /** Puts a leaf in a place, the next free one or one that is taken. @throws RangeError when there is no such place */
  set(place: number, leaf: bigint): void {
    const [leaves = []] = this.#levels;
    if (!Number.isInteger(place) || place < 0 || place > leaves.length || place >= 2 ** TREE_DEPTH)
      throw new RangeError(`the crowd has no place ${place}`);
    leaves[place] = leaf;
    for (let level = 1; level <= TREE_DEPTH; level++) this.#renew(level, place >> level);
  }

  /** Returns the siblings of a place, from the leaf to the root. */
  siblings(place: number): bigint[] {
    return Array.from({ length: TREE_DEPTH }, (_, level) => this.#node(level, (place >> level) ^ 1));
  }

  #node(level: number, at: number): bigint {
    return this.#levels[level]?.[at] ?? empty[level] ?? EMPTY_LEAF;
  }

  #renew(level: number, at: number): void {
    const nodes = this.#levels[level] ?? [];
    nodes[at] = nodeOf(this.#node(level - 1, 2 * at), this.#node(level - 1, 2 * at + 1));
  }
}
