import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testMember } from "../testing/membership";
import { leafOf, nodeOf } from "./hash";
import { circuitInputs, NotInCrowdError } from "./statement";
import { CrowdTree, EMPTY_LEAF, TREE_DEPTH } from "./tree";

/** The root that a leaf and its siblings lead to, as the circuit works it out. */
function rootBy(leaf: bigint, place: number, siblings: readonly bigint[]): bigint {
  return siblings.reduce(
    (node, sibling, level) => ((place >> level) & 1 ? nodeOf(sibling, node) : nodeOf(node, sibling)),
    leaf,
  );
}

describe("a crowd's tree", () => {
  it("leads from every place to its root", async () => {
    const leaves = [11n, 12n, EMPTY_LEAF, 14n, 15n];
    const tree = await CrowdTree.of(leaves);
    for (const [place, leaf] of leaves.entries()) {
      const siblings = tree.siblings(place);
      expect(siblings).toHaveLength(TREE_DEPTH);
      expect(rootBy(leaf, place, siblings)).toBe(tree.root);
    }
    // Where nobody ever was, too.
    expect(rootBy(EMPTY_LEAF, 700, tree.siblings(700))).toBe(tree.root);
  });

  it("is the same whether its leaves came at once or one by one, and left again", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt(0n, 1n << 250n), { maxLength: 12 }),
        fc.array(fc.nat(11), { maxLength: 6 }),
        async (leaves, gone) => {
          const tree = new CrowdTree();
          for (const [place, leaf] of leaves.entries()) tree.set(place, leaf);
          const left = leaves.map((leaf, place) => (gone.includes(place) ? EMPTY_LEAF : leaf));
          for (const place of gone) if (place < leaves.length) tree.set(place, EMPTY_LEAF);
          expect(tree.leaves).toEqual(left);
          expect(tree.root).toBe((await CrowdTree.of(left)).root);
        },
      ),
      { numRuns: 10 },
    );
  });

  it("is made in pieces, between which other work goes on", async () => {
    let turns = 0;
    const turn = setInterval(() => turns++, 1);
    const tree = await CrowdTree.of(Array.from({ length: 500 }, (_, i) => BigInt(i + 1)));
    clearInterval(turn);
    expect(tree.leaves).toHaveLength(500);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it("has no place beyond the next free one", async () => {
    const tree = await CrowdTree.of([1n]);
    for (const place of [-1, 2, 0.5, 2 ** TREE_DEPTH]) expect(() => tree.set(place, 5n)).toThrow(RangeError);
  });

  it("proves nothing for a leaf of another topic, one that was taken out, or an older tree", async () => {
    const { of, member } = await testMember();
    expect(circuitInputs(of, member)).toMatchObject({ index: 2 });
    expect(() => circuitInputs({ ...of, topic: of.topic + 1n }, member)).toThrow(NotInCrowdError);
    expect(() => circuitInputs(of, { ...member, secret: 4n })).toThrow(NotInCrowdError);
    const crowd = await CrowdTree.of(member.crowd.leaves);
    crowd.set(2, EMPTY_LEAF);
    expect(() => circuitInputs(of, { ...member, crowd })).toThrow(NotInCrowdError);
    crowd.set(2, leafOf(member.secret, of.topic));
    crowd.set(4, 9n);
    expect(() => circuitInputs(of, { ...member, crowd })).toThrow(NotInCrowdError);
  });
});
