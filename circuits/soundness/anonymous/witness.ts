import { poseidon2Hash } from "@zkpassport/poseidon2";
import type { Inputs } from "../abi";
import { reduce } from "../acir/field";

/** Levels of a crowd's tree, and bans of a list. */
export const DEPTH = 20;
export const BANS = 32;

/** What a hash is for (circuits/bin/anonymous_membership/README.md). */
export const domains = {
  leaf: 1n,
  node: 2n,
  tag: 3n,
  slot: 4n,
  epoch: 5n,
  scope: 6n,
  commitment: 7n,
} as const;

/** The hash of two field elements for one purpose. */
export function hash(purpose: keyof typeof domains, left: bigint, right: bigint): bigint {
  return poseidon2Hash([domains[purpose], reduce(left), reduce(right)]);
}

/** Someone's place in a tree of which only the path is known. */
export interface Place {
  siblings: bigint[];
  index: bigint;
}

/** What a witness is made of; everything else follows. */
export interface Choices extends Place {
  topic: bigint;
  epoch: bigint;
  limit: bigint;
  scope: bigint;
  signal: bigint;
  week: bigint;
  bans: readonly (readonly [week: bigint, tag: bigint])[];
  secret: bigint;
  blinding: bigint;
  slot: bigint;
}

/** The inputs of the circuit. */
export type Witness = Record<
  | "root"
  | "topic"
  | "epoch"
  | "limit"
  | "scope"
  | "signal"
  | "week"
  | "slot_nullifier"
  | "scope_nullifier"
  | "tag_commitment"
  | "secret"
  | "blinding"
  | "index"
  | "slot",
  bigint
> & { banned_weeks: bigint[]; banned_tags: bigint[]; siblings: bigint[] };

/** The root of the tree with this leaf at this place. */
export function rootOf(leaf: bigint, { siblings, index }: Place): bigint {
  return siblings.reduce(
    (node, sibling, level) =>
      (index >> BigInt(level)) & 1n ? hash("node", sibling, node) : hash("node", node, sibling),
    leaf,
  );
}

/** What an author is banned by in a week. */
export const tagOf = (secret: bigint, week: bigint) => hash("tag", secret, week);

/** A member of a crowd of many, who is not banned and has two of five slots behind them. */
export const defaults: Choices = {
  topic: 77n,
  epoch: 20_000n,
  limit: 5n,
  scope: 991n,
  signal: 424_242n,
  week: 2_900n,
  bans: [
    [2_899n, tagOf(8n, 2_899n)],
    [2_900n, tagOf(9n, 2_900n)],
  ],
  secret: 123_456_789n,
  blinding: 987_654_321n,
  slot: 2n,
  siblings: Array.from({ length: DEPTH }, (_, i) => 1_000n + BigInt(i)),
  index: 0x5a5a5n,
};

/** The witness of a member; a prover may change any of it. */
export function witnessOf(choices: Partial<Choices> = {}): Witness {
  const { bans, siblings, ...rest } = { ...defaults, ...choices };
  const { secret, topic, epoch, slot, scope, week, blinding, index } = rest;
  const padded = (values: readonly bigint[]) => Array.from({ length: BANS }, (_, i) => values[i] ?? 0n);
  return {
    ...rest,
    root: rootOf(hash("leaf", secret, topic), { siblings, index }),
    banned_weeks: padded(bans.map(([week]) => week)),
    banned_tags: padded(bans.map(([, tag]) => tag)),
    slot_nullifier: hash("slot", hash("epoch", secret, epoch), slot),
    scope_nullifier: hash("scope", secret, scope),
    tag_commitment: hash("commitment", tagOf(secret, week), blinding),
    siblings: [...siblings],
  };
}

const byte = (value: bigint) => value < 256n;

/**
 * Whether the circuit must accept these inputs: its rules, written a second time. Shares nothing with the circuit but the
 * definitions above; the hash is another implementation's.
 */
export function isTrue(given: Witness): boolean {
  const at = (name: keyof Omit<Witness, "banned_weeks" | "banned_tags" | "siblings">) => reduce(given[name]);
  const secret = at("secret");
  const [limit, slot, index] = [at("limit"), at("slot"), at("index")];
  if (secret === 0n || !byte(limit) || !byte(slot) || slot >= limit || index >> BigInt(DEPTH) !== 0n)
    return false;
  const place = { siblings: given.siblings.map(reduce), index };
  return (
    rootOf(hash("leaf", secret, at("topic")), place) === at("root") &&
    hash("slot", hash("epoch", secret, at("epoch")), slot) === at("slot_nullifier") &&
    hash("scope", secret, at("scope")) === at("scope_nullifier") &&
    hash("commitment", tagOf(secret, at("week")), at("blinding")) === at("tag_commitment") &&
    given.banned_weeks.every((week, i) => tagOf(secret, week) !== reduce(given.banned_tags[i] ?? 0n))
  );
}

/** The parameters in their order, and how many values each has. */
const PARAMETERS = [
  ["root", 1],
  ["topic", 1],
  ["epoch", 1],
  ["limit", 1],
  ["scope", 1],
  ["signal", 1],
  ["week", 1],
  ["banned_weeks", BANS],
  ["banned_tags", BANS],
  ["slot_nullifier", 1],
  ["scope_nullifier", 1],
  ["tag_commitment", 1],
  ["secret", 1],
  ["blinding", 1],
  ["siblings", DEPTH],
  ["index", 1],
  ["slot", 1],
] as const;

/** The inverse of flattening. @param flat all parameters as field elements, in their order */
export function unflatten(flat: readonly bigint[]): Witness {
  const witness = witnessOf();
  let at = 0;
  for (const [name, count] of PARAMETERS) {
    const values = flat.slice(at, at + count);
    at += count;
    if (name === "banned_weeks" || name === "banned_tags" || name === "siblings") witness[name] = values;
    else witness[name] = values[0] ?? 0n;
  }
  return witness;
}

/** A witness as inputs of the circuit. */
export const toInputs = (witness: Witness): Inputs => ({ ...witness });
