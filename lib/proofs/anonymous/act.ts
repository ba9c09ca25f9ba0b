import { hexToBigInt, sha256, slice, toHex } from "viem";

/** What an anonymous act says and where. Its proof is about exactly this. */
export type AnonymousAct =
  | {
      readonly kind: "post";
      readonly topicId: string;
      /** Chosen by the author, since the thread's pseudonym comes from it. */
      readonly postId: string;
      readonly title: string;
      /** HTML as it is stored: sanitized. */
      readonly content: string;
      readonly tags: readonly string[];
    }
  | {
      readonly kind: "comment";
      readonly topicId: string;
      readonly postId: string;
      readonly parentId: string | null;
      readonly content: string;
    };

/** Returns the field element that stands for an act in its proof: SHA-256 over its JSON, without the last byte. */
export function signalOf(act: AnonymousAct): bigint {
  const said =
    act.kind === "post"
      ? [act.kind, act.topicId, act.postId, act.title, act.content, act.tags]
      : [act.kind, act.topicId, act.postId, act.parentId, act.content];
  return elementOf(said);
}

/** Returns what an author's pseudonym in a thread is for. Hashed with its kind: no poll can have the scope of a thread. */
export function threadScope(postId: string): bigint {
  return elementOf(["thread", postId]);
}

/** A vote in a poll with secret ballots. */
export interface Ballot {
  readonly topicId: string;
  readonly pollId: string;
  /** In the order of the poll. */
  readonly optionIds: readonly string[];
  /** From 0; of two ballots of one member, the higher counts. */
  readonly counter: number;
}

/** Returns the field element that stands for a ballot in its proof. */
export function ballotSignal({ topicId, pollId, optionIds, counter }: Ballot): bigint {
  return elementOf(["ballot", topicId, pollId, optionIds, counter]);
}

/** Returns what a member's number in a ballot is for. */
export function ballotScope(pollId: string): bigint {
  return elementOf(["poll", pollId]);
}

/** Returns the window that a ballot has to itself: its slot has nothing in common with those of texts or other ballots. */
export function ballotEpoch(pollId: string): bigint {
  return elementOf(["ballots", pollId]);
}

/**
 * What has an epoch of its own, one slot in it, and the tag of no week can be linked with nothing else that its author says:
 * ballots, deletions.
 */
export const UNLINKED_TERMS = { limit: 1, week: 0n } as const;

/** A text that its author deletes: a post, or a comment under it. */
export interface Deletion {
  readonly topicId: string;
  readonly postId: string;
  readonly commentId: string | null;
}

/** Returns the field element that stands for a deletion in its proof. */
export function deletionSignal({ topicId, postId, commentId }: Deletion): bigint {
  return elementOf(["delete", topicId, postId, commentId]);
}

/** Returns the window that the deletions of a thread have to themselves. */
export function deletionEpoch(postId: string): bigint {
  return elementOf(["deletions", postId]);
}

/** Returns the field element that stands for a topic: the number that its id is. */
export function topicElement(topicId: string): bigint {
  return BigInt(`0x${topicId.replaceAll("-", "")}`);
}

/** 31 bytes are below the field modulus whatever they are. */
function elementOf(value: readonly unknown[]): bigint {
  return hexToBigInt(slice(sha256(toHex(JSON.stringify(value))), 0, 31));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the window of the rate limit that a moment is in: a UTC day. */
export function epochOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/** Returns the week whose tag an act of that moment has. */
export function weekOf(at: Date): number {
  return Math.floor(epochOf(at) / 7);
}
