"use client";

import { useRef, useState } from "react";
import { useWords } from "#words";
import { toast } from "@/components/ui/toast";
import { VoteControl, type VoteValue } from "@/components/ui/vote-control";
import { afterVote, type VoteState } from "./vote-state";

export interface VoteProps {
  readonly postId: string;
  readonly title: string;
  readonly count: number;
  readonly voted: VoteValue | null;
  readonly vertical?: boolean;
}

/** A post's votes: shown at once, sent one after the other, taken back when the server refuses. */
export function Vote({ postId, title, count, voted, vertical }: VoteProps) {
  const words = useWords();
  const { t } = words;
  const [state, setState] = useState<VoteState>({ count, voted });
  /** What the server last said; a refusal goes back to it. */
  const confirmed = useRef<VoteState>({ count, voted });
  /** Presses on their way. Two at once would race each other on the server, so each waits for the one before. */
  const line = useRef<Promise<void>>(Promise.resolve());
  const waiting = useRef(0);

  const send = async (value: VoteValue) => {
    const { api, contract, sentence, codeOf } = await import("@/components/api");
    try {
      const reply = await api.call(contract.posts.vote, { postId, value });
      confirmed.current = { count: reply.upvoteCount, voted: reply.vote?.value ?? null };
    } catch (error) {
      const guest = codeOf(error) === "not_authenticated";
      toast({
        tone: "wrong",
        text: guest ? t("post.signInToComment") : sentence(words, error),
        action: guest ? { label: t("nav.signIn"), href: "/sign-in" } : undefined,
      });
    }
    waiting.current -= 1;
    // While more presses wait, what they will make of it stays on screen.
    if (waiting.current === 0) setState(confirmed.current);
  };
  const onVote = (value: VoteValue) => {
    setState((shown) => afterVote(shown, value));
    waiting.current += 1;
    line.current = line.current.then(() => send(value));
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
