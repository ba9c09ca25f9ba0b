import type { VoteValue } from "@/components/ui/vote-control";

/** A post's votes as one reader sees them. */
export interface VoteState {
  readonly count: number;
  readonly voted: VoteValue | null;
}

/** State after pressing `value`: the same value again removes the vote, the opposite switches it. */
export function afterVote(state: VoteState, value: VoteValue): VoteState {
  const voted = state.voted === value ? null : value;
  return { voted, count: state.count - (state.voted ?? 0) + (voted ?? 0) };
}
