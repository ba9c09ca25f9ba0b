import type { InputMap } from "@noir-lang/noir_js";
import { type Hex, numberToHex } from "viem";
import { FIELD_MODULUS } from "../words";
import { leafOf, scopeNullifier, slotNullifier, tagCommitment, tagOf } from "./hash";
import { CrowdTree } from "./tree";

/** Most bans that a topic has at a time. */
const MAX_BANS = 32;

/** A ban of an author whom nobody can name. */
interface TagBan {
  readonly week: bigint;
  readonly tag: bigint;
}

/** What the verifier of an act knows, all of it from itself: nothing of this is taken from a client. */
export interface Circumstances {
  /** Of the crowd's tree. */
  readonly root: bigint;
  readonly topic: bigint;
  /** The window that slots are counted in, and how many a member has in it. */
  readonly epoch: bigint;
  readonly limit: number;
  /** What the scope nullifier is for: a thread, a ballot. */
  readonly scope: bigint;
  /** The hash of the act itself. */
  readonly signal: bigint;
  readonly week: bigint;
  /** At most `MAX_BANS`. */
  readonly bans: readonly TagBan[];
}

/** What only the member can say, and the proof shows to be right. */
export interface Said {
  readonly slotNullifier: bigint;
  readonly scopeNullifier: bigint;
  readonly tagCommitment: bigint;
}

/** Who proves: a secret and its leaf's place in the crowd, and numbers for this one proof. */
export interface Member {
  readonly secret: bigint;
  readonly crowd: CrowdTree;
  /** From 0, below the limit; one that was not used in this epoch. */
  readonly slot: number;
  /** Random; whoever gets it together with the tag can open the commitment. */
  readonly blinding: bigint;
}

/** Someone whose leaf is not in the crowd cannot prove anything about it. */
export class NotInCrowdError extends Error {
  override name = "NotInCrowdError";
}

function padded(values: readonly bigint[]): bigint[] {
  if (values.length > MAX_BANS) throw new RangeError(`a topic has at most ${MAX_BANS} bans`);
  return Array.from({ length: MAX_BANS }, (_, i) => values[i] ?? 0n);
}

/**
 * Returns the public inputs of a proof, in the order of the circuit: 74 words.
 * @throws RangeError when a value is no field element, or there are too many bans
 */
export function publicWords(of: Circumstances, said: Said): Hex[] {
  const { root, topic, epoch, limit, scope, signal, week, bans } = of;
  const words = [
    ...[root, topic, epoch, BigInt(limit), scope, signal, week],
    ...padded(bans.map((ban) => ban.week)),
    ...padded(bans.map((ban) => ban.tag)),
    ...[said.slotNullifier, said.scopeNullifier, said.tagCommitment],
  ];
  return words.map((word) => {
    // The same element above the modulus would be a second nullifier of the same slot.
    if (word < 0n || word >= FIELD_MODULUS)
      throw new RangeError("a public input is not below the field modulus");
    return numberToHex(word, { size: 32 });
  });
}

/** Returns what a member says in these circumstances. */
export function sayingOf(of: Circumstances, { secret, slot, blinding }: Omit<Member, "crowd">): Said {
  return {
    slotNullifier: slotNullifier(secret, of.epoch, slot),
    scopeNullifier: scopeNullifier(secret, of.scope),
    tagCommitment: tagCommitment(tagOf(secret, of.week), blinding),
  };
}

/**
 * Returns the inputs of the circuit, for noir_js.
 * @throws NotInCrowdError when the member's leaf is not in the tree, or the tree is another than the circumstances'
 */
export function circuitInputs(of: Circumstances, member: Member): InputMap {
  const { secret, crowd, slot, blinding } = member;
  const place = crowd.leaves.indexOf(leafOf(secret, of.topic));
  if (place < 0 || crowd.root !== of.root) throw new NotInCrowdError("this secret is not in the crowd");
  const said = sayingOf(of, member);
  const hex = (value: bigint) => numberToHex(value);
  return {
    ...{ root: hex(of.root), topic: hex(of.topic), epoch: hex(of.epoch), limit: of.limit },
    ...{ scope: hex(of.scope), signal: hex(of.signal), week: hex(of.week) },
    banned_weeks: padded(of.bans.map((ban) => ban.week)).map(hex),
    banned_tags: padded(of.bans.map((ban) => ban.tag)).map(hex),
    slot_nullifier: hex(said.slotNullifier),
    scope_nullifier: hex(said.scopeNullifier),
    tag_commitment: hex(said.tagCommitment),
    ...{ secret: hex(secret), blinding: hex(blinding), slot },
    siblings: crowd.siblings(place).map(hex),
    index: place,
  };
}
