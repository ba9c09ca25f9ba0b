"use client";

import { useRef, useState } from "react";
import { toast } from "@/components/ui/toast";
import { VoteControl, type VoteValue } from "@/components/ui/vote-control";
import * as en from "@/lib/i18n/en";
import { afterVote, type VoteState } from "./vote-state";

export interface VoteProps {
  readonly postId: string;
  readonly title: string;
  readonly count: number;
  readonly voted: VoteValue | null;
  readonly vertical?: boolean;
}

/** A post's votes: shown at once, taken back when the server refuses. */
export function Vote({ postId, title, count, voted, vertical }: VoteProps) {
  const [state, setState] = useState<VoteState>({ count, voted });
  const running = useRef(false);
  const onVote = async (value: VoteValue) => {
    // A second press while the first is on its way would race it on the server.
    if (running.current) return;
    running.current = true;
    const before = state;
    setState(afterVote(before, value));
    const { api, contract, sentence, codeOf } = await import("@/components/api");
    try {
      const reply = await api.call(contract.posts.vote, { postId, value });
      setState({ count: reply.upvoteCount, voted: reply.vote?.value ?? null });
    } catch (error) {
      setState(before);
      const guest = codeOf(error) === "not_authenticated";
      toast({
        tone: "wrong",
        text: guest ? en.post.signInToComment : sentence(error),
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
