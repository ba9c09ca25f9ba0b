"use client";

import { Bookmark as Ribbon } from "lucide-react";
import { useRef, useState } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { toast } from "@/components/ui/toast";

export interface BookmarkProps {
  readonly postId: string;
  readonly title: string;
  readonly bookmarked: boolean;
  /** With its word beside the ribbon, where there is room. */
  readonly labelled?: boolean;
}

/** Keeps a post, or lets it go: shown at once, sent one press after the other, taken back when the server refuses. */
export function Bookmark({ postId, title, bookmarked, labelled }: BookmarkProps) {
  const words = useWords();
  const { t } = words;
  const [isKept, setKept] = useState(bookmarked);
  /** What the server last said; a refusal goes back to it. */
  const confirmed = useRef(bookmarked);
  /** Each press turns it over, so each waits for the one before. */
  const line = useRef<Promise<void>>(Promise.resolve());
  const waiting = useRef(0);

  const send = async () => {
    const { api, contract, sentence, codeOf } = await import("@/components/api");
    try {
      confirmed.current = (await api.call(contract.posts.bookmark, { postId })).bookmarked;
    } catch (error) {
      const guest = codeOf(error) === "not_authenticated";
      toast({
        tone: "wrong",
        text: guest ? t("post.signInToKeep") : sentence(words, error),
        action: guest ? { label: t("nav.signIn"), href: "/sign-in" } : undefined,
      });
    }
    waiting.current -= 1;
    // While more presses wait, what they will make of it stays on screen.
    if (waiting.current === 0) setKept(confirmed.current);
  };
  const onPress = () => {
    setKept((shown) => !shown);
    waiting.current += 1;
    line.current = line.current.then(send);
  };
  return (
    <button
      type="button"
      aria-pressed={isKept}
      aria-label={t("post.bookmarkOf", { subject: title })}
      title={t("post.bookmark")}
      onClick={onPress}
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
