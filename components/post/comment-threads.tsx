"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { useId } from "react";
import { useWords } from "#words";
import type { Reader } from "@/components/staff/content-acts";
import { cx } from "@/components/ui/cx";
import { nameOf } from "@/components/ui/member-name";
import type { Comment } from "@/lib/contract";
import { OneComment } from "./one-comment";
import { foldedAbove, type Thread } from "./threads";

/** What every comment of a talk needs to know and may do. */
export interface Talk {
  readonly postId: string;
  readonly topicId: string;
  readonly canWrite: boolean;
  readonly reader: Reader;
  /** Id of the comment that the address leads to. */
  readonly linked: string | null;
  /** Whether its replies are shown; null where nobody has said. */
  readonly isOpen: (commentId: string) => boolean | null;
  readonly toggle: (commentId: string, isOpen: boolean) => void;
  readonly onSent: (comment: Comment) => void;
  /** Shows what is on its way. @returns takes it back */
  readonly onSending: (content: string, parentId: string | null) => () => void;
  readonly change: (comment: Comment) => void;
  readonly focusSoon: (commentId: string) => void;
  readonly copy: (commentId: string) => void;
}

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
