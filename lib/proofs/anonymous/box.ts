import { type Hex, hexToBytes, isHex } from "viem";
import { ballotStatement, topicElement } from "./act";
import { elementsOf, WORD_AT } from "./evidence";
import { isRootList, type PublishedRoot } from "./roots";
import type { MembershipVerifier } from "./verifier";

/** A ballot as it is published with its proof. */
export interface PublishedBallot {
  readonly optionIds: readonly string[];
  readonly counter: number;
  readonly publicInputs: readonly string[];
  readonly proof: string;
}

/** A poll with secret ballots, and what is published of it. */
export interface BallotBox {
  readonly topicId: string;
  readonly pollId: string;
  readonly multipleChoice: boolean;
  /** In their order, with how many votes they are said to have. */
  readonly options: readonly { readonly id: string; readonly voteCount: number }[];
  /** Number of the root whose crowd votes. */
  readonly root: number;
  readonly ballots: readonly PublishedBallot[];
}

/** What is wrong with a box. */
export type BoxFault =
  /** The list of roots is changed or has gaps. */
  | "list"
  /** A ballot is of another crowd than the poll's. */
  | "root"
  /** A ballot is for another poll, or says another choice than its proof. */
  | "ballot"
  /** A ballot chooses what the poll does not have, or more than one may. */
  | "choice"
  /** A member has two ballots. */
  | "twice"
  | "proof"
  /** The numbers of votes are others than those of the ballots. */
  | "count"
  /** The reader's own ballot is not there. */
  | "own";

/** How a box is counted again. */
export interface Recount {
  readonly verifier: Pick<MembershipVerifier, "verify">;
  /** Scope nullifier and choice of a ballot that has to be there: the reader's own. */
  readonly own?: { readonly scopeNullifier: string; readonly optionIds: readonly string[] } | null;
  /** Told after every ballot. */
  readonly onChecked?: (count: number) => void;
}

/**
 * Counts a whole ballot box again without asking anybody: every ballot is of a different one of the crowd, and says what its
 * proof says, and the numbers are right. Whether the right people were in the crowd it cannot tell.
 * @returns the first fault, or null
 * @throws Error when the verifier itself fails
 */
export async function faultOfBox(
  box: BallotBox,
  roots: readonly (PublishedRoot & { readonly hash: string })[],
  { verifier, own, onChecked }: Recount,
): Promise<BoxFault | null> {
  if (!roots.every(({ topicId }) => topicId === box.topicId) || !isRootList(roots)) return "list";
  const root = roots.find(({ number }) => number === box.root)?.root;
  if (root === undefined) return "root";
  const counts = new Map(box.options.map(({ id }) => [id, 0]));
  const voters = new Map<string, readonly string[]>();
  for (const ballot of box.ballots) {
    const { optionIds, proof } = ballot;
    const words = elementsOf(ballot.publicInputs);
    if (!words) return "proof";
    const fault = faultOfBallot(box, ballot, words, BigInt(root));
    if (fault) return fault;
    const voter = words[WORD_AT.scopeNullifier] ?? "";
    if (voters.has(voter)) return "twice";
    voters.set(voter, optionIds);
    for (const id of optionIds) counts.set(id, (counts.get(id) ?? 0) + 1);
    if (!isHex(proof) || !(await verifier.verify(hexToBytes(proof), words))) return "proof";
    onChecked?.(voters.size);
  }
  if (box.options.some(({ id, voteCount }) => counts.get(id) !== voteCount)) return "count";
  const isOwnThere = !own || voters.get(own.scopeNullifier)?.join() === own.optionIds.join();
  return isOwnThere ? null : "own";
}

function faultOfBallot(
  { topicId, pollId, multipleChoice, options }: BallotBox,
  { optionIds, counter }: PublishedBallot,
  words: readonly Hex[],
  root: bigint,
): BoxFault | null {
  const value = (at: number) => BigInt(words[at] ?? 0);
  if (value(WORD_AT.root) !== root || value(WORD_AT.topic) !== topicElement(topicId)) return "root";
  const { epoch, limit, scope, signal, week } = ballotStatement({ topicId, pollId, optionIds, counter });
  const isThisBallot =
    value(WORD_AT.epoch) === epoch &&
    value(WORD_AT.limit) === BigInt(limit) &&
    value(WORD_AT.week) === week &&
    value(WORD_AT.scope) === scope &&
    value(WORD_AT.signal) === signal;
  if (!isThisBallot) return "ballot";
  const chosen = options.filter(({ id }) => optionIds.includes(id));
  const isChoice = optionIds.length > 0 && chosen.length === optionIds.length;
  return isChoice && (multipleChoice || optionIds.length === 1) ? null : "choice";
}
