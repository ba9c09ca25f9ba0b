import type { Inputs } from "../abi";
import { ORDER } from "../acir/field";
import type { Case, Cases, Family } from "../case";
import {
  BANS,
  type Choices,
  DEPTH,
  defaults,
  hash,
  rootOf,
  tagOf,
  toInputs,
  type Witness,
  witnessOf,
} from "./witness";

/** The witness that most cases depart from. */
export const honestInputs: Inputs = toInputs(witnessOf());

const { secret, topic, epoch, slot, scope, week, blinding } = defaults;
const LAST = (1n << BigInt(DEPTH)) - 1n;
const OTHER_SECRET = 55n;

function accepted(name: string, choices: Partial<Choices> = {}): Case {
  return { name, inputs: toInputs(witnessOf(choices)) };
}

/** An honest witness with one change, which must be refused for the reason given. */
function refused(
  name: string,
  reason: RegExp,
  change: (witness: Witness) => unknown,
  choices: Partial<Choices> = {},
): Case {
  const witness = witnessOf(choices);
  change(witness);
  return { name, inputs: toInputs(witness), base: honestInputs, reason };
}

const others = Array.from({ length: BANS }, (_, i): [bigint, bigint] => {
  const listed = week - BigInt(i % 5);
  return [listed, tagOf(BigInt(1_000 + i), listed)];
});

function honestCases(): Case[] {
  return [
    accepted("a member"),
    ...[0n, 1n, LAST - 1n, LAST, 1n << 19n].map((index) => accepted(`place ${index} of the tree`, { index })),
    accepted("alone in a crowd", { index: 0n, siblings: Array(DEPTH).fill(0n) }),
    accepted("the first slot", { slot: 0n }),
    accepted("the last slot", { slot: 4n }),
    accepted("the last slot of the largest limit", { slot: 254n, limit: 255n }),
    accepted("a limit of one", { slot: 0n, limit: 1n }),
    accepted("a list without bans", { bans: [] }),
    accepted("a full list of others", { bans: others }),
    accepted("the own tag, listed under another week", { bans: [[week - 1n, tagOf(secret, week)]] }),
    accepted("the smallest secret", { secret: 1n }),
    accepted("the largest secret", { secret: ORDER - 1n }),
    accepted("zeros wherever they are allowed", {
      topic: 0n,
      epoch: 0n,
      scope: 0n,
      signal: 0n,
      week: 0n,
      blinding: 0n,
      slot: 0n,
      index: 0n,
    }),
    accepted("the largest of everything", {
      topic: ORDER - 1n,
      epoch: ORDER - 1n,
      scope: ORDER - 1n,
      signal: ORDER - 1n,
      week: ORDER - 1n,
      blinding: ORDER - 1n,
    }),
  ];
}

/** Where somebody else, or nobody, stands in the tree. */
function treeCases(): Case[] {
  const leaf = hash("leaf", secret, topic);
  const reason = /crowd: root/;
  return [
    refused("another topic's leaf", reason, (w) => (w.topic = topic + 1n)),
    refused(
      "a removed leaf",
      reason,
      (w) => (w.root = rootOf(0n, { siblings: w.siblings, index: defaults.index })),
    ),
    refused(
      "an old root",
      reason,
      (w) => (w.root = rootOf(leaf, { siblings: others.map(([, tag]) => tag).slice(0, DEPTH), index: 3n })),
    ),
    refused("another secret in one's own place", reason, (w) => {
      Object.assign(w, witnessOf({ secret: OTHER_SECRET }), { root: w.root });
    }),
    refused("the leaf itself as the root", reason, (w) => (w.root = leaf)),
    refused("the leaf without its domain", reason, (w) => (w.root = rootOf(hash("node", secret, topic), w))),
    refused("the root of another place", reason, (w) => (w.index ^= 1n)),
    refused("siblings from the root to the leaf", reason, (w) => w.siblings.reverse()),
    refused("a root of zero", reason, (w) => (w.root = 0n)),
    refused("an index of 21 bits", /decompose/, (w) => (w.index = LAST + 1n), { index: 0n }),
    refused("the same place, 2^20 further on", /decompose/, (w) => (w.index += LAST + 1n)),
    refused("an index below zero", /decompose/, (w) => (w.index = ORDER - 1n), { index: LAST }),
    refused("a secret of zero, in the tree", /anonymous: secret/, () => undefined, { secret: 0n }),
  ];
}

function slotCases(): Case[] {
  const reason = /anonymous: slot$/;
  const nullifier = /anonymous: slot nullifier/;
  const key = hash("epoch", secret, epoch);
  const by = (name: string, value: bigint) => refused(name, nullifier, (w) => (w.slot_nullifier = value));
  return [
    refused("the slot at the limit", reason, () => undefined, { slot: 5n }),
    refused("a slot beyond the limit", reason, () => undefined, { slot: 6n }),
    refused("the largest slot", reason, () => undefined, { slot: 255n }),
    refused("the first slot of a limit of zero", reason, () => undefined, { slot: 0n, limit: 0n }),
    refused("a limit taken down to the slot", reason, (w) => (w.limit = w.slot)),
    refused("a slot of 256", /./, () => undefined, { slot: 256n }),
    refused("a slot of minus one", /./, () => undefined, { slot: ORDER - 1n }),
    refused("a limit of 256", /./, () => undefined, { limit: 256n }),
    by("the nullifier of another slot", hash("slot", key, slot + 1n)),
    by("the nullifier of another epoch", hash("slot", hash("epoch", secret, epoch + 1n), slot)),
    by("the nullifier of another member", hash("slot", hash("epoch", OTHER_SECRET, epoch), slot)),
    by("the nullifier without its epoch", hash("slot", secret, slot)),
    by("a slot nullifier in the domain of epochs", hash("epoch", key, slot)),
    by("a slot nullifier of zero", 0n),
    by("the scope nullifier for the slot nullifier", hash("scope", secret, scope)),
    refused("another epoch", nullifier, (w) => (w.epoch += 1n)),
    refused("another slot, below the limit", nullifier, (w) => (w.slot += 1n)),
  ];
}

function scopeCases(): Case[] {
  const reason = /anonymous: scope nullifier/;
  const by = (name: string, value: bigint) => refused(name, reason, (w) => (w.scope_nullifier = value));
  return [
    by("the scope nullifier of another member", hash("scope", OTHER_SECRET, scope)),
    by("the nullifier of another scope", hash("scope", secret, scope + 1n)),
    by("a scope nullifier in the domain of leaves", hash("leaf", secret, scope)),
    by("the slot nullifier for the scope nullifier", hash("slot", hash("epoch", secret, epoch), slot)),
    by("a scope nullifier of zero", 0n),
    refused("another scope", reason, (w) => (w.scope += 1n)),
  ];
}

function tagCases(): Case[] {
  const reason = /anonymous: tag commitment/;
  const by = (name: string, value: bigint) => refused(name, reason, (w) => (w.tag_commitment = value));
  const tag = tagOf(secret, week);
  return [
    by("the commitment to another member's tag", hash("commitment", tagOf(OTHER_SECRET, week), blinding)),
    by("the commitment to another week's tag", hash("commitment", tagOf(secret, week - 1n), blinding)),
    by("the commitment with another blinding", hash("commitment", tag, blinding + 1n)),
    by("the tag itself", tag),
    by("a commitment of zero", 0n),
    refused("another week", reason, (w) => (w.week -= 1n)),
    refused("another blinding", reason, (w) => (w.blinding += 1n)),
  ];
}

/** A list of others with the own tag of a week in one place. */
function listedAt(place: number, listed: bigint): (readonly [bigint, bigint])[] {
  return others.map((other, i) => (i === place ? [listed, tagOf(secret, listed)] : other));
}

function banCases(): Case[] {
  const reason = /bans: listed/;
  return [
    refused("banned this week, alone on the list", reason, () => undefined, {
      bans: [[week, tagOf(secret, week)]],
    }),
    refused("banned a year ago", reason, () => undefined, { bans: listedAt(30, week - 52n) }),
    refused("banned twice", reason, () => undefined, {
      bans: listedAt(4, week).with(9, [week, tagOf(secret, week)]),
    }),
    refused("one entry of the list changed to the own tag", reason, (w) => {
      w.banned_weeks[1] = week;
      w.banned_tags[1] = tagOf(secret, week);
    }),
    refused(
      "only the week of an entry changed, to that of the own tag",
      reason,
      (w) => (w.banned_weeks[0] = week),
      {
        bans: [[week - 1n, tagOf(secret, week)]],
      },
    ),
    refused(
      "the own tag of week zero in an unused place",
      reason,
      (w) => (w.banned_tags[31] = tagOf(secret, 0n)),
    ),
  ];
}

/** One case for each of what a loop goes over. */
function families(): Family[] {
  return [
    {
      file: "lib/ban_list/src/lib.nr",
      statement: "assert(tag(secret, list.weeks[i])",
      cases: Array.from({ length: BANS }, (_, place) =>
        refused(`banned, place ${place} of a full list`, /bans: listed/, () => undefined, {
          bans: listedAt(place, week),
        }),
      ),
    },
    {
      file: "lib/crowd_tree/src/lib.nr",
      statement: "assert(node == root",
      cases: Array.from({ length: DEPTH }, (_, level) => level).flatMap((level) => [
        refused(`another sibling at level ${level}`, /crowd: root/, (w) => {
          w.siblings[level] = (w.siblings[level] ?? 0n) + 1n;
        }),
        refused(`the other side at level ${level}`, /crowd: root/, (w) => {
          w.index ^= 1n << BigInt(level);
        }),
      ]),
    },
  ];
}

/** Values that mean the same as the honest ones in the field, or in fewer bits, where the type has a range. */
function aliasCases(): Case[] {
  const again = (name: string, change: (witness: Witness) => unknown) => refused(name, /./, change);
  return [
    again("the slot, 256 more", (w) => (w.slot += 256n)),
    again("the limit, 256 more", (w) => (w.limit += 256n)),
    again("the index with bits beyond the tree", (w) => (w.index += 1n << 40n)),
    again("the slot halved in the field", (w) => (w.slot = (w.slot * ((ORDER + 1n) / 2n)) % ORDER)),
  ];
}

/** The named cases of anonymous_membership. It asks no hints of its own; the compiler's are lied about by `compilerHints`. */
export function anonymousCases(): Cases {
  return {
    honest: honestCases(),
    refused: [...treeCases(), ...slotCases(), ...scopeCases(), ...tagCases(), ...banCases()],
    hints: [],
    aliases: aliasCases(),
    families: families(),
  };
}

export { DEPTH, defaults, domains, hash, rootOf } from "./witness";
