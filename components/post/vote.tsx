"use client";

import { VoteControl, type VoteValue } from "@/components/ui/vote-control";
import { useOptimisticAct } from "./use-optimistic-act";
import { afterVote, type VoteState } from "./vote-state";

export interface VoteProps {
  readonly postId: string;
  readonly topicId: string;
  readonly title: string;
  readonly count: number;
  readonly voted: VoteValue | null;
  readonly vertical?: boolean;
}

/** A post's votes. */
export function Vote({ postId, topicId, title, count, voted, vertical }: VoteProps) {
  const [state, vote] = useOptimisticAct<VoteState, VoteValue>({
    initial: { count, voted },
    after: afterVote,
    async send({ api, contract }, value) {
      const reply = await api.call(contract.posts.vote, { postId, value });
      return { count: reply.upvoteCount, voted: reply.vote?.value ?? null };
    },
    guest: "post.signInToComment",
    topicId,
  });
  return (
    <VoteControl subject={title} count={state.count} voted={state.voted} onVote={vote} vertical={vertical} />
  );
}
