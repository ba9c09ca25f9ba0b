"use client";

import { useRef, useState } from "react";
import { toast } from "@/components/ui/toast";
import { VoteControl, type VoteValue } from "@/components/ui/vote-control";
import { ApiError, createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { en } from "@/lib/i18n";

export interface VoteProps {
  readonly postId: string;
  readonly title: string;
  readonly count: number;
  readonly voted: VoteValue | null;
  readonly vertical?: boolean;
}

interface State {
  readonly count: number;
  readonly voted: VoteValue | null;
}

const api = createClient();

/** State after pressing `value`: the same value again removes the vote, the opposite switches it. */
export function afterVote(state: State, value: VoteValue): State {
  const voted = state.voted === value ? null : value;
  return { voted, count: state.count - (state.voted ?? 0) + (voted ?? 0) };
}

/** A post's votes: shown at once, taken back when the server refuses. */
export function Vote({ postId, title, count, voted, vertical }: VoteProps) {
  const [state, setState] = useState<State>({ count, voted });
  const running = useRef(false);
  const onVote = async (value: VoteValue) => {
    // A second press while the first is on its way would race it on the server.
    if (running.current) return;
    running.current = true;
    const before = state;
    setState(afterVote(before, value));
    try {
      const reply = await api.call(contract.posts.vote, { postId, value });
      setState({ count: reply.upvoteCount, voted: reply.vote?.value ?? null });
    } catch (error) {
      setState(before);
      const guest = error instanceof ApiError && error.status === 401;
      toast({
        tone: "wrong",
        text: guest
          ? en.post.signInToComment
          : error instanceof ApiError
            ? error.message
            : en.post.voteFailed,
        action: guest ? { label: en.nav.signIn, href: "/sign-in" } : undefined,
      });
    } finally {
      running.current = false;
    }
  };
  return (
    <VoteControl
      subject={title}
      count={state.count}
      voted={state.voted}
      onVote={onVote}
      vertical={vertical}
    />
  );
}
