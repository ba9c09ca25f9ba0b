"use client";

import type { KeyboardEvent } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { SpriteUse } from "@/components/ui/sprite-use";
import { compact } from "@/lib/i18n/time";
import { useOptimisticAct } from "./use-optimistic-act";
import { afterVote, type VoteState, type VoteValue } from "./vote-state";

export interface VoteProps extends VoteState {
  readonly postId: string;
  /** The comment of the post that the votes are for; without, the post. */
  readonly commentId?: string;
  readonly topicId: string;
  readonly title: string;
}

/** The votes of a post or comment and their sum as one control; the arrow keys vote while it has the focus. */
export function Vote({ postId, commentId, topicId, title, count, voted }: VoteProps) {
  const words = useWords();
  const [state, vote] = useOptimisticAct<VoteState, VoteValue>({
    initial: { count, voted },
    after: afterVote,
    async send({ api, contract }, value) {
      const reply = commentId
        ? await api.call(contract.comments.vote, { commentId, value })
        : await api.call(contract.posts.vote, { postId, value });
      return { count: reply.upvoteCount, voted: reply.vote?.value ?? null };
    },
    guest: "post.signInToComment",
    topicId,
  });
  const arrow = (value: VoteValue, label: string, icon: "up" | "down") => (
    <button
      type="button"
      aria-label={label}
      aria-pressed={state.voted === value}
      onClick={() => vote(value)}
      className={cx("ease tap", state.voted === value && "text-sea")}
    >
      <SpriteUse icon={icon} className={cx("size-5", state.voted === value && "fill-current")} />
    </button>
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    vote(event.key === "ArrowUp" ? 1 : -1);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out inside a row of text
    <div
      role="group"
      aria-label={words.t("post.voteOn", { subject: title })}
      onKeyDown={onKeyDown}
      className="vote"
    >
      {arrow(1, words.t("post.upvote"), "up")}
      <output aria-label={words.t("post.score")} className={state.voted ? "text-sea" : undefined}>
        {compact(words, state.count)}
      </output>
      {arrow(-1, words.t("post.downvote"), "down")}
    </div>
  );
}
