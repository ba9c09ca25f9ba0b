"use client";

import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { SpriteUse } from "@/components/ui/sprite-use";
import { useOptimisticAct } from "./use-optimistic-act";

export interface BookmarkProps {
  readonly postId: string;
  readonly topicId: string;
  readonly title: string;
  readonly bookmarked: boolean;
  /** Show the label beside the icon, where there is room. */
  readonly labelled?: boolean;
}

/** Bookmarks a post, or removes the bookmark. */
export function Bookmark({ postId, topicId, title, bookmarked, labelled }: BookmarkProps) {
  const { t } = useWords();
  const [isBookmarked, toggle] = useOptimisticAct<boolean, null>({
    initial: bookmarked,
    after: (bookmarked) => !bookmarked,
    send: async ({ api, contract }) => (await api.call(contract.posts.bookmark, { postId })).bookmarked,
    guest: "post.signInToKeep",
    topicId,
  });
  return (
    <button
      type="button"
      aria-pressed={isBookmarked}
      aria-label={t("post.bookmarkOf", { subject: title })}
      title={t("post.bookmark")}
      onClick={() => toggle(null)}
      className={cx(
        "ease tap keep",
        labelled && "text-sm font-medium sm:w-auto sm:px-3",
        isBookmarked && "text-sea",
      )}
    >
      <SpriteUse icon="bookmark" className={cx("size-4", isBookmarked && "fill-current")} />
      {labelled ? (
        <span aria-hidden="true" className="hidden sm:inline">
          {t("post.bookmark")}
        </span>
      ) : null}
    </button>
  );
}
