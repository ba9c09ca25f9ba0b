import { type Hex, toHex } from "viem";
import { anonymous, Circuit } from "../soundness";
import { ABOUT, type AnonymousVectors, vectorOf } from "./schema";

const { anonymousCases, DEPTH, defaults, domains, hash, rootOf } = anonymous;

const word = (value: bigint): Hex => toHex(value, { size: 32 });

/** The root of a tree with these leaves in its first places, and the siblings of one of them. */
function treeOf(leaves: readonly bigint[], place: number) {
  const siblings: bigint[] = [];
  let [nodes, empty, at] = [[...leaves], 0n, place];
  for (let level = 0; level < DEPTH; level++) {
    siblings.push(nodes[at ^ 1] ?? empty);
    const below = empty;
    nodes = Array.from({ length: Math.ceil(nodes.length / 2) }, (_, i) =>
      hash("node", nodes[2 * i] ?? below, nodes[2 * i + 1] ?? below),
    );
    [empty, at] = [hash("node", below, below), at >> 1];
  }
  const root = rootOf(leaves[place] ?? 0n, { siblings, index: BigInt(place) });
  return { leaves: leaves.map(word), place, siblings: siblings.map(word), root: word(root) };
}

/** circuits/vectors/anonymous_membership.json */
export async function anonymousVectors(): Promise<AnonymousVectors> {
  const circuit = Circuit.committed("anonymous_membership");
  const { honest, refused } = anonymousCases();
  const { secret, topic, epoch, slot, scope, week, blinding } = defaults;
  const purposes = ["leaf", "node", "tag", "slot", "epoch", "scope", "commitment"] as const;
  const leaf = hash("leaf", secret, topic);
  const cases = [];
  for (const one of honest) cases.push(await vectorOf(circuit, one, "accepted"));
  for (const one of refused) cases.push(await vectorOf(circuit, one, "refused"));
  return {
    about: ABOUT,
    circuit: "anonymous_membership",
    derivations: {
      hashes: purposes.map((purpose) => ({
        purpose,
        domain: Number(domains[purpose]),
        left: word(secret),
        right: word(week),
        hash: word(hash(purpose, secret, week)),
      })),
      members: [secret, 1n, 55n].map((one) => ({
        ...{ secret: word(one), topic: word(topic), leaf: word(hash("leaf", one, topic)) },
        ...{ epoch: word(epoch), slot: Number(slot) },
        slotNullifier: word(hash("slot", hash("epoch", one, epoch), slot)),
        ...{ scope: word(scope), scopeNullifier: word(hash("scope", one, scope)) },
        ...{ week: word(week), tag: word(hash("tag", one, week)), blinding: word(blinding) },
        tagCommitment: word(hash("commitment", hash("tag", one, week), blinding)),
      })),
      trees: [treeOf([leaf], 0), treeOf([1n, 2n, leaf], 2), treeOf([1n, 0n, 3n, leaf, 5n, 6n, 7n], 3)],
    },
    cases,
  };
}
