"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { useId } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { nameOf } from "@/components/ui/member-name";
import { OneComment } from "./one-comment";
import type { Talk } from "./talk";
import { foldedAbove, type Thread } from "./threads";

interface ThreadsProps {
  readonly threads: readonly Thread[];
  readonly talk: Talk;
}

export function CommentThreads({ threads, talk }: ThreadsProps) {
  return (
    <ol className="grid gap-5">
      {threads.map((thread) => (
        <OneThread key={thread.comment.id} thread={thread} talk={talk} />
      ))}
    </ol>
  );
}

function OneThread({ thread, talk }: { readonly thread: Thread; readonly talk: Talk }) {
  const words = useWords();
  const { t } = words;
  const id = useId();
  const { comment, replies, size } = thread;
  const isOpen = talk.isOpen(comment.id) ?? size <= foldedAbove;
  if (size === 0) {
    return (
      <li>
        <OneComment thread={thread} talk={talk} />
      </li>
    );
  }
  const action = t(isOpen ? "comment.hideReplies" : "comment.showReplies", { n: size });
  const name = comment.authorNickname === null ? t("post.withdrawn") : nameOf(words, comment.authorNickname);
  const Mark = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <OneComment thread={thread} talk={talk}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={t("comment.repliesTo", { action, name })}
          onClick={() => talk.toggle(comment.id, !isOpen)}
          className="ease tap inline-flex h-7 items-center gap-1 text-sm text-soft hover:text-ink noscript:hidden"
        >
          <Mark className="size-4" aria-hidden />
          {action}
        </button>
      </OneComment>
      {/* What is folded is there all the same: nothing opens it without JavaScript. */}
      <div
        id={id}
        className={cx("mt-4 ms-1 border-s ps-2 sm:ms-2.5 sm:ps-5", !isOpen && "hidden noscript:block")}
      >
        <CommentThreads threads={replies} talk={talk} />
      </div>
    </li>
  );
}
