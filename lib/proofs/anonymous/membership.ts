import { bytesToBigInt, bytesToHex, type Hex, numberToHex } from "viem";
import { type AnonymousAct, signalOf, threadScope } from "./act";
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

/** The terms ban this author. */
export class BannedError extends Error {
  override name = "BannedError";
}

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
 * @param prove makes the proof: an engine's
 * @throws BannedError; NotInCrowdError when the leaves have not the author's, or are another root's
 */
export async function membershipOf(
  act: AnonymousAct,
  terms: Terms,
  { secret, root, leaves, slot }: Acting,
  prove: (...given: Parameters<typeof circuitInputs>) => Promise<Uint8Array>,
): Promise<Membership> {
  const bans = terms.bans.map(({ week, tag }) => ({ week: BigInt(week), tag: BigInt(tag) }));
  // The circuit would refuse, without a reason.
  if (bans.some(({ week, tag }) => tagOf(secret, week) === tag))
    throw new BannedError("this author is banned");
  const of: Circumstances = {
    ...{
      root: BigInt(root.root),
      topic: BigInt(terms.topic),
      epoch: BigInt(terms.epoch),
      limit: terms.limit,
    },
    ...{ scope: threadScope(act.postId), signal: signalOf(act), week: BigInt(terms.week), bans },
  };
  const crowd = await CrowdTree.of(unpackedLeaves(leaves));
  const member = { secret, crowd, slot, blinding: randomElement() };
  const proof = await prove(of, member);
  const said = sayingOf(of, member);
  return {
    root: root.number,
    at: terms.at,
    slotNullifier: hex(said.slotNullifier),
    scopeNullifier: hex(said.scopeNullifier),
    tag: hex(tagOf(secret, of.week)),
    blinding: hex(member.blinding),
    proof: bytesToHex(proof),
  };
}

/** Returns what makes proofs with an engine, for `membershipOf`. */
export function proverOf(engine: Pick<MembershipEngine, "prove">) {
  return async (...given: Parameters<typeof circuitInputs>) => await engine.prove(circuitInputs(...given));
}
