"use client";

import { MessageSquare } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useWords } from "#words";
import { Pending } from "@/components/outbox/pending";
import { ShownDomains } from "@/components/proof/shown-domains";
import { contentActs, type Reader } from "@/components/staff/content-acts";
import { ContentTools } from "@/components/staff/content-tools";
import { RichText } from "@/components/text/rich-text";
import { Avatar } from "@/components/ui/identicon";
import { nameOf } from "@/components/ui/member-name";
import { Badge } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Comment } from "@/lib/contract";
import { exactCount } from "@/lib/i18n/time";
import { CommentForm } from "./comment-form";
import { buildThreads, type Thread } from "./threads";

export interface CommentsProps {
  readonly postId: string;
  readonly topicId: string;
  readonly comments: readonly Comment[];
  readonly total: number;
  readonly canWrite: boolean;
  readonly reader: Reader;
  /** Shown instead of the form to those who may not write. */
  readonly otherwise: React.ReactNode;
}

/** The talk below a post. */
export function Comments({ postId, topicId, comments, total, canWrite, reader, otherwise }: CommentsProps) {
  const words = useWords();
  const [added, setAdded] = useState<readonly Comment[]>([]);
  const [latest, setLatest] = useState<string | null>(null);
  const threads = useMemo(() => {
    const seen = new Set(comments.map((c) => c.id));
    return buildThreads([...comments, ...added.filter((c) => !seen.has(c.id))]);
  }, [comments, added]);
  const onSent = (comment: Comment) => {
    setAdded((list) => [...list, comment]);
    setLatest(comment.id);
  };
  useEffect(() => {
    if (latest) document.getElementById(`comment-${latest}`)?.focus();
  }, [latest]);
  return (
    <section aria-labelledby="comments" className="grid gap-5">
      <h2 id="comments" className="flex items-baseline gap-2 font-serif text-xl font-semibold">
        {words.t("post.comments")}
        <span className="font-sans text-sm font-normal text-soft">
          {exactCount(words, total + added.length)}
        </span>
      </h2>
      {canWrite ? (
        <CommentForm
          postId={postId}
          parentId={null}
          label={words.t("post.addComment")}
          send={words.t("post.send")}
          onSent={onSent}
        />
      ) : (
        otherwise
      )}
      <Pending here={{ kind: "comment", place: postId }} />
      {threads.length === 0 ? (
        <p className="text-soft">{words.t("post.commentsEmpty")}</p>
      ) : (
        <ThreadList
          threads={threads}
          postId={postId}
          topicId={topicId}
          canWrite={canWrite}
          reader={reader}
          onSent={onSent}
        />
      )}
    </section>
  );
}

interface ThreadProps {
  readonly postId: string;
  readonly topicId: string;
  readonly canWrite: boolean;
  readonly reader: Reader;
  readonly onSent: (comment: Comment) => void;
}

function ThreadList({ threads, ...rest }: ThreadProps & { readonly threads: readonly Thread[] }) {
  return (
    <ol className="grid gap-5">
      {threads.map((thread) => (
        <li key={thread.comment.id}>
          <OneComment thread={thread} {...rest} />
          {thread.replies.length > 0 ? (
            <div className="mt-4 ms-2.5 border-s ps-3 sm:ps-5">
              <ThreadList threads={thread.replies} {...rest} />
            </div>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

function OneComment({
  thread,
  postId,
  topicId,
  canWrite,
  reader,
  onSent,
}: ThreadProps & { readonly thread: Thread }) {
  const words = useWords();
  const { t } = words;
  const [replying, setReplying] = useState(false);
  const { comment, depth } = thread;
  const name = comment.authorNickname === null ? t("post.withdrawn") : nameOf(words, comment.authorNickname);
  return (
    <article
      id={`comment-${comment.id}`}
      tabIndex={-1}
      aria-label={depth === 0 ? t("post.commentBy", { name }) : t("post.replyBy", { name, level: depth + 1 })}
      className="grid gap-1.5 rounded-control outline-offset-4"
    >
      <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
        <Avatar userId={comment.authorId} image={comment.authorProfileImage} size="xs" />
        <span className="font-medium text-ink">{name}</span>
        <ShownDomains of={comment.authorDomains} />
        <TimeAgo at={comment.createdAt} />
        {comment.isHidden && !comment.isDeleted ? (
          <Badge tone="warning">{t("moderate.hiddenCommentMark")}</Badge>
        ) : null}
        <span className="ms-auto">
          <ContentTools
            target={{ postId, commentId: comment.id }}
            author={name}
            isHidden={comment.isHidden}
            acts={contentActs({ ...comment, isPost: false }, reader)}
          />
        </span>
      </div>
      {comment.isDeleted ? (
        <p className="text-soft italic">{t("post.commentDeleted")}</p>
      ) : comment.isHidden && !comment.content ? (
        <p className="text-soft italic">{t("moderate.hiddenComment")}</p>
      ) : (
        <p dir="auto" className="max-w-[68ch] leading-relaxed whitespace-pre-wrap">
          <RichText
            text={comment.content}
            names={comment.mentions.map(({ nickname }) => nickname)}
            topicId={topicId}
          />
        </p>
      )}
      {canWrite && !comment.isDeleted ? (
        replying ? (
          <CommentForm
            postId={postId}
            parentId={comment.id}
            label={t("post.replyTo", { name: name })}
            send={t("post.sendReply")}
            focus
            onCancel={() => setReplying(false)}
            onSent={(reply) => {
              setReplying(false);
              onSent(reply);
            }}
          />
        ) : (
          <button
            type="button"
            onClick={() => setReplying(true)}
            aria-label={t("post.replyTo", { name: name })}
            className="tap inline-flex h-7 w-fit items-center gap-1.5 text-sm text-soft hover:text-ink"
          >
            <MessageSquare className="size-3.5" aria-hidden />
            {t("post.reply")}
          </button>
        )
      ) : null}
    </article>
  );
}
