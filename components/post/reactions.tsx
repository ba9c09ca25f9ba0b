"use client";

import { SmilePlus } from "lucide-react";
import { useWords } from "#words";
import { useKeptFocus } from "@/components/staff/use-optimistic-rows";
import { cx } from "@/components/ui/cx";
import { Menu } from "@/components/ui/menu";
import { compact } from "@/lib/i18n/time";
import {
  afterReaction,
  type Emoji,
  hasGiven,
  type Reactions,
  reactionNames,
  withReaction,
} from "./post-state";
import { useOptimisticAct } from "./use-optimistic-act";

export interface ReactionsProps {
  readonly postId: string;
  readonly topicId: string;
  readonly reactions: Reactions;
}

/** The reactions to a post with their counts, and a menu to add one. */
export function ReactionBar({ postId, topicId, reactions }: ReactionsProps) {
  const words = useWords();
  const { t } = words;
  const [shown, press] = useOptimisticAct<Reactions, Emoji>({
    initial: reactions,
    after: afterReaction,
    async send({ api, contract }, emoji, confirmed) {
      const { added } = await api.call(contract.posts.react, { postId, emoji });
      return withReaction(confirmed, emoji, added);
    },
    guest: "post.signInToComment",
    topicId,
  });
  const bar = useKeptFocus<HTMLDivElement>(shown.length);
  const nameOf = (emoji: Emoji) => {
    const name = reactionNames.find(([one]) => one === emoji)?.[1];
    return name ? t(`reaction.names.${name}`) : emoji;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out inside a row
    <div
      ref={bar}
      role="group"
      aria-label={t("reaction.list")}
      tabIndex={-1}
      className="relative flex flex-wrap items-center gap-1.5 outline-offset-4"
    >
      {shown.map(({ emoji, count, userReacted }) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={userReacted}
          aria-label={t("reaction.chip", { name: nameOf(emoji), n: count })}
          title={nameOf(emoji)}
          onClick={() => press(emoji)}
          className={cx(
            "ease tap inline-flex h-8 items-center justify-center gap-1.5 rounded-full border px-2.5 text-sm font-medium tabular-nums",
            userReacted ? "border-sea bg-sea-wash text-sea" : "bg-sheet text-soft hover:border-line-strong",
          )}
        >
          <span aria-hidden="true">{emoji}</span>
          {compact(words, count)}
        </button>
      ))}
      <Menu
        label={t("reaction.add")}
        trigger={<SmilePlus className="size-5" aria-hidden />}
        layout="grid"
        items={reactionNames.map(([emoji, name]) => ({
          label: t(`reaction.names.${name}`),
          icon: <span className="text-2xl leading-none">{emoji}</span>,
          isChosen: hasGiven(shown, emoji),
          onSelect: () => press(emoji),
        }))}
      />
    </div>
  );
}
