"use client";

import { ArrowBigDown, ArrowBigUp } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useWords } from "#words";
import { compact } from "@/lib/i18n/time";
import { cx } from "./cx";

export type VoteValue = 1 | -1;

export interface VoteControlProps {
  /** What is voted on, for assistive technology. */
  readonly subject: string;
  readonly count: number;
  readonly voted: VoteValue | null;
  readonly onVote: (value: VoteValue) => void;
  readonly vertical?: boolean;
}

const arrow = "ease tap inline-flex size-8 items-center justify-center rounded-full hover:bg-wash";

/** Both votes and their sum as one control; the up and down arrow keys vote while it has the focus. */
export function VoteControl({ subject, count, voted, onVote, vertical }: VoteControlProps) {
  const words = useWords();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    onVote(event.key === "ArrowUp" ? 1 : -1);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out inside a row of text
    <div
      role="group"
      aria-label={words.t("post.voteOn", { subject: subject })}
      onKeyDown={onKeyDown}
      className={cx(
        "relative z-10 inline-flex items-center rounded-full border bg-sheet",
        vertical && "flex-col",
      )}
    >
      <button
        type="button"
        aria-label={words.t("post.upvote")}
        aria-pressed={voted === 1}
        onClick={() => onVote(1)}
        className={cx(arrow, voted === 1 ? "text-sea" : "text-soft")}
      >
        <ArrowBigUp className={cx("size-5", voted === 1 && "fill-current")} aria-hidden />
      </button>
      <output
        aria-label={words.t("post.score")}
        className={cx(
          "min-w-6 text-center text-sm font-semibold tabular-nums",
          voted ? "text-sea" : "text-ink",
        )}
      >
        {compact(words, count)}
      </output>
      <button
        type="button"
        aria-label={words.t("post.downvote")}
        aria-pressed={voted === -1}
        onClick={() => onVote(-1)}
        className={cx(arrow, voted === -1 ? "text-sea" : "text-soft")}
      >
        <ArrowBigDown className={cx("size-5", voted === -1 && "fill-current")} aria-hidden />
      </button>
    </div>
  );
}
