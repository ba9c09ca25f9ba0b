"use client";

import { Bookmark as Ribbon } from "lucide-react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { useOptimisticAct } from "./use-optimistic-act";

export interface BookmarkProps {
  readonly postId: string;
  readonly topicId: string;
  readonly title: string;
  readonly bookmarked: boolean;
  /** With its word beside the ribbon, where there is room. */
  readonly labelled?: boolean;
}

/** Keeps a post, or lets it go. */
export function Bookmark({ postId, topicId, title, bookmarked, labelled }: BookmarkProps) {
  const { t } = useWords();
  const [isKept, turn] = useOptimisticAct<boolean, null>({
    initial: bookmarked,
    after: (kept) => !kept,
    send: async ({ api, contract }) => (await api.call(contract.posts.bookmark, { postId })).bookmarked,
    guest: "post.signInToKeep",
    topicId,
  });
  return (
    <button
      type="button"
      aria-pressed={isKept}
      aria-label={t("post.bookmarkOf", { subject: title })}
      title={t("post.bookmark")}
      onClick={() => turn(null)}
      className={cx(
        "ease tap relative z-10 inline-flex h-8 items-center justify-center gap-1.5 rounded-full hover:bg-wash",
        labelled ? "w-8 text-sm font-medium sm:w-auto sm:px-3" : "w-8",
        isKept ? "text-sea" : "text-soft hover:text-ink",
      )}
    >
      <Ribbon className={cx("size-4", isKept && "fill-current")} aria-hidden />
      {labelled ? (
        <span aria-hidden="true" className="hidden sm:inline">
          {t("post.bookmark")}
        </span>
      ) : null}
    </button>
  );
}
