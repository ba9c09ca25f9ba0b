import { bytesToBigInt, bytesToHex, type Hex, numberToHex } from "viem";
import { type AnonymousAct, signalOf, threadScope, type UnlinkedStatement } from "./act";
import type { MembershipEngine } from "./engine";
import { tagOf } from "./hash";
import { randomElement } from "./secret";
import { type Circumstances, circuitInputs, sayingOf } from "./statement";
import { CrowdTree } from "./tree";

/** What a topic asks of a proof, as its operation `anonymous.terms` answers. */
export interface Terms {
  readonly at: string;
  readonly topic: string;
  readonly root: { readonly number: number; readonly root: string } | null;
  readonly epoch: number;
  readonly limit: number;
  readonly week: number;
  readonly bans: readonly { readonly week: number; readonly tag: string }[];
}

/** Who acts: all of it stays where the proof is made. */
export interface Acting {
  readonly secret: bigint;
  /** Number of the root that these are the leaves of, and its value. */
  readonly root: { readonly number: number; readonly root: string };
  /** By place, 32 bytes each. */
  readonly leaves: Uint8Array;
  readonly slot: number;
}

/** The author's part of an anonymous act, as its operation takes it. */
export interface Membership {
  readonly root: number;
  readonly at: string;
  readonly slotNullifier: Hex;
  readonly scopeNullifier: Hex;
  readonly tag: Hex;
  readonly blinding: Hex;
  readonly proof: Hex;
}

/** The member's part of an act that can be linked with nothing but what it is about, as operations take it. */
export interface UnlinkedMembership {
  readonly slotNullifier: Hex;
  readonly scopeNullifier: Hex;
  readonly tagCommitment: Hex;
  readonly proof: Hex;
}

/** The terms ban this author. */
export class BannedError extends Error {
  override name = "BannedError";
}

/** Makes a proof: an engine's (`proverOf`). */
type Prove = (...given: Parameters<typeof circuitInputs>) => Promise<Uint8Array>;

/** A field element as requests have it. */
const hex = (element: bigint): Hex => numberToHex(element, { size: 32 });

/** Returns leaves as numbers. @param packed 32 bytes each */
function unpackedLeaves(packed: Uint8Array): bigint[] {
  return Array.from({ length: packed.length / 32 }, (_, i) =>
    bytesToBigInt(packed.subarray(32 * i, 32 * i + 32)),
  );
}

/**
 * Proves an act on a topic's terms.
 * @throws BannedError; NotInCrowdError when the leaves have not the author's, or are another root's
 */
export async function membershipOf(
  act: AnonymousAct,
  terms: Terms,
  acting: Acting,
  prove: Prove,
): Promise<Membership> {
  const week = BigInt(terms.week);
  const about = { epoch: BigInt(terms.epoch), limit: terms.limit, week };
  const of = { ...about, scope: threadScope(act.postId), signal: signalOf(act) };
  const { said, blinding, proof } = await proven(of, terms, acting, prove);
  return {
    root: acting.root.number,
    at: terms.at,
    slotNullifier: hex(said.slotNullifier),
    scopeNullifier: hex(said.scopeNullifier),
    tag: hex(tagOf(acting.secret, week)),
    blinding: hex(blinding),
    proof: bytesToHex(proof),
  };
}

/**
 * Proves an act that can be linked with nothing but what it is about.
 * @param terms its topic, and the bans that it has to rule out
 * @throws as `membershipOf`
 */
export async function unlinkedMembershipOf(
  statement: UnlinkedStatement,
  terms: Pick<Terms, "topic" | "bans">,
  acting: Acting,
  prove: Prove,
): Promise<UnlinkedMembership> {
  const { said, proof } = await proven(statement, terms, acting, prove);
  return {
    slotNullifier: hex(said.slotNullifier),
    scopeNullifier: hex(said.scopeNullifier),
    tagCommitment: hex(said.tagCommitment),
    proof: bytesToHex(proof),
  };
}

async function proven(
  of: Omit<Circumstances, "root" | "topic" | "bans">,
  terms: Pick<Terms, "topic" | "bans">,
  { secret, root, leaves, slot }: Acting,
  prove: Prove,
) {
  const bans = terms.bans.map(({ week, tag }) => ({ week: BigInt(week), tag: BigInt(tag) }));
  // The circuit would refuse, without a reason.
  const isBanned = bans.some(({ week, tag }) => tagOf(secret, week) === tag);
  if (isBanned) throw new BannedError("this author is banned");
  const circumstances = { ...of, root: BigInt(root.root), topic: BigInt(terms.topic), bans };
  const crowd = await CrowdTree.of(unpackedLeaves(leaves));
  const member = { secret, crowd, slot, blinding: randomElement() };
  const proof = await prove(circumstances, member);
  return { proof, said: sayingOf(circumstances, member), blinding: member.blinding };
}

/** Returns what makes proofs with an engine. */
export function proverOf(engine: Pick<MembershipEngine, "prove">): Prove {
  return async (...given) => await engine.prove(circuitInputs(...given));
}
