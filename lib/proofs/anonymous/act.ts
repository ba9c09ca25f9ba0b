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

/**
 * What the proof of an act shows that can be linked with nothing else its author says: it has an epoch of its own, and the tag
 * of no week.
 */
export interface UnlinkedStatement {
  readonly epoch: bigint;
  readonly limit: number;
  readonly scope: bigint;
  readonly signal: bigint;
  readonly week: bigint;
}

const ONE_SLOT = { limit: 1, week: 0n } as const;

/** Returns what the proof of a ballot shows: its signal stands for the ballot. */
export function ballotStatement({ topicId, pollId, optionIds, counter }: Ballot): UnlinkedStatement {
  return {
    ...ONE_SLOT,
    epoch: elementOf(["ballots", pollId]),
    scope: ballotScope(pollId),
    signal: elementOf(["ballot", topicId, pollId, optionIds, counter]),
  };
}

/** Returns what a member's number in a ballot is for. */
export function ballotScope(pollId: string): bigint {
  return elementOf(["poll", pollId]);
}

/** A text that its author deletes: a post, or a comment under it. */
export interface Deletion {
  readonly topicId: string;
  readonly postId: string;
  readonly commentId: string | null;
}

/** Returns what the proof of a deletion shows: its scope is the thread's, so that it has the number of the author. */
export function deletionStatement({ topicId, postId, commentId }: Deletion): UnlinkedStatement {
  return {
    ...ONE_SLOT,
    epoch: elementOf(["deletions", postId]),
    scope: threadScope(postId),
    signal: elementOf(["delete", topicId, postId, commentId]),
  };
}

/** A picture that is uploaded for a post. */
export interface Picture {
  readonly topicId: string;
  /** Of its bytes as they are sent, in lower-case hex. */
  readonly sha256: string;
  /** The UTC day, in which a member has `LIMITS.anonymous.picturesPerDay` of them. */
  readonly epoch: number;
}

/** Returns what the proof of a picture shows. @param limit pictures of a member and day */
export function pictureStatement({ topicId, sha256, epoch }: Picture, limit: number): UnlinkedStatement {
  return {
    limit,
    week: 0n,
    epoch: elementOf(["pictures", epoch]),
    scope: elementOf(["picture", topicId, sha256]),
    signal: elementOf(["picture", topicId, sha256]),
  };
}

/** A leaf that takes the place of another one. */
export interface Replacement {
  readonly topicId: string;
  /** The new one, as 0x and 64 digits in lower case. */
  readonly leaf: string;
}

/**
 * Returns what shows that whoever enrolls a new leaf has the former one's secret, and no ban. Its root is that of a tree with
 * the former leaf alone, in the first place.
 */
export function replacementStatement({ topicId, leaf }: Replacement): UnlinkedStatement {
  return {
    ...ONE_SLOT,
    epoch: elementOf(["replacements", topicId]),
    scope: elementOf(["replace", topicId]),
    signal: elementOf(["replace", topicId, leaf]),
  };
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
