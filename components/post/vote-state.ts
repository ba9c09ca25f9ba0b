/**
 * The state of a post's votes after an action of the reader, before the server has answered. Apart from that of reactions and
 * polls, because every list of posts loads it.
 */

export type VoteValue = 1 | -1;

/** The votes of a post, and the reader's own. */
export interface VoteState {
  readonly count: number;
  readonly voted: VoteValue | null;
}

/** Votes. The same value again removes the vote, the opposite switches it. */
export function afterVote(state: VoteState, value: VoteValue): VoteState {
  const voted = state.voted === value ? null : value;
  return { voted, count: state.count - (state.voted ?? 0) + (voted ?? 0) };
}
