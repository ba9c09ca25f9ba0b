"use client";

import { CornerLeftUp, MessageSquare } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Check } from "@/components/anonymous/check";
import { CommentVoices } from "@/components/anonymous/voices";
import { useBlockItem, useIsBlocked } from "@/components/block/blocks";
import { Folded } from "@/components/block/folded";
import { MentionTextarea } from "@/components/compose/mention-textarea";
import { ShownDomains } from "@/components/proof/shown-domains";
import { useUnreadItem } from "@/components/reading/use-unread-item";
import { ContentTools } from "@/components/staff/content-tools";
import { MarkdownText } from "@/components/text/markdown-text";
import { Automated } from "@/components/ui/automated";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Field } from "@/components/ui/field";
import { Avatar } from "@/components/ui/identicon";
import { isWithdrawn, MemberLink, nameOf } from "@/components/ui/member-name";
import type { MenuItem } from "@/components/ui/menu";
import { TimeAgo } from "@/components/ui/time-ago";
import { toast } from "@/components/ui/toast";
import type { Comment } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { CommentForm } from "./comment-form";
import { commentElement, Permalink } from "./permalink";
import { selectedIn } from "./quote";
import type { Thread } from "./threads";
import { type CommentContext, deleted, isSending } from "./use-comment-list";
import { Vote } from "./vote";

export interface OneCommentProps {
  readonly thread: Thread;
  readonly context: CommentContext;
  /** Shown beside the reply button. */
  readonly children?: ReactNode;
}

/** A comment with its actions. */
export function OneComment({ thread, context, children }: OneCommentProps) {
  if (isSending(thread.comment)) return <UnsentComment thread={thread} />;
  return (
    <FullComment thread={thread} context={context}>
      {children}
    </FullComment>
  );
}

/** A comment that is being sent, without actions. */
function UnsentComment({ thread: { comment } }: Pick<OneCommentProps, "thread">) {
  const { t } = useWords();
  return (
    <article aria-busy="true" className="grid gap-1.5 opacity-70">
      <div className="flex min-h-9 flex-wrap items-center gap-2 text-sm text-soft">
        <Avatar userId={comment.authorId} image={null} size="xs" />
        <span className="font-medium text-ink">{comment.authorNickname}</span>
        <span role="status">{t("common.sending")}</span>
      </div>
      <Content comment={comment} />
    </article>
  );
}

function FullComment({ thread, context, children }: OneCommentProps) {
  const words = useWords();
  const { t } = words;
  const [replying, setReplying] = useState(false);
  const [quote, setQuote] = useState<{ readonly text: string } | null>(null);
  const { comment, depth } = thread;
  const { postId, topicId, canWrite, me, change, focusSoon } = context;
  const edit = useCommentEdit(comment, context);
  const name =
    comment.authorNickname === null
      ? t("post.withdrawn")
      : nameOf(words, comment.authorNickname, comment.anonymous);
  const isMine = me !== null && comment.authorId === me;
  const isLinked = context.linked === comment.id;
  const isEdited = comment.updatedAt !== comment.createdAt && !comment.isDeleted;
  const [isUnfolded, setUnfolded] = useState(false);
  const isBlocked = useIsBlocked(comment.authorId, comment.isFolded);
  const isFolded = isBlocked && !isUnfolded && !comment.isDeleted && !comment.abilities.includes("hide");
  const block = useBlockItem(me !== null && !isMine ? authorOf(comment) : null, comment.isFolded, () => {
    setUnfolded(false);
    focusSoon(comment.id);
  });
  const reply = (quoted: string | null) => {
    setQuote(quoted === null ? null : { text: quoted });
    setReplying(true);
  };
  const quoteIt = () => {
    const shown = document.getElementById(commentElement(comment.id))?.querySelector(".prose-comment");
    reply(selectedIn(shown ?? null) ?? comment.content);
  };
  const unread = useUnreadItem(me !== null && canWrite ? { threadOf: postId, commentId: comment.id } : null);
  const more: readonly MenuItem[] = [
    ...(canWrite && comment.content ? [{ label: t("post.quote"), onSelect: quoteIt }] : []),
    ...(comment.abilities.includes("edit") ? [{ label: t("own.edit"), onSelect: edit.begin }] : []),
    { label: t("common.copyLink"), onSelect: () => context.copy(comment.id) },
    ...unread,
    ...block,
  ];
  if (isFolded) {
    const show = () => {
      setUnfolded(true);
      focusSoon(comment.id);
    };
    return (
      <article
        id={commentElement(comment.id)}
        tabIndex={-1}
        aria-current={isLinked ? "true" : undefined}
        className="grid gap-1.5 rounded-control outline-offset-4"
      >
        <Folded label={t("post.foldedComment")} onShow={show} />
        <div className="flex flex-wrap items-center gap-x-4 empty:hidden">{children}</div>
      </article>
    );
  }
  return (
    <article
      id={commentElement(comment.id)}
      tabIndex={-1}
      aria-label={depth === 0 ? t("post.commentBy", { name }) : t("post.replyBy", { name, level: depth + 1 })}
      aria-current={isLinked ? "true" : undefined}
      className={cx(
        "grid gap-1.5 rounded-control outline-offset-4",
        isLinked && "-mx-2 bg-sea-wash px-2 py-1 ring-1 ring-sea/40",
      )}
    >
      <div className="flex items-start gap-2 text-sm text-soft">
        <div className="flex min-h-9 min-w-0 flex-1 flex-wrap items-center gap-x-2">
          <Avatar userId={comment.authorId} image={comment.authorProfileImage} size="xs" />
          {comment.authorNickname === null ? (
            <span className="font-medium text-ink">{name}</span>
          ) : (
            <>
              <MemberLink
                of={comment.authorNickname}
                anonymous={comment.anonymous}
                className="font-medium text-ink"
              />
              <ShownDomains of={comment.authorDomains} by={{ nickname: comment.authorNickname, topicId }} />
            </>
          )}
          {comment.automated ? <Automated /> : null}
          <Permalink
            postId={postId}
            commentId={comment.id}
            className="tap inline-flex items-center hover:text-ink hover:underline"
          >
            <TimeAgo at={comment.createdAt} />
          </Permalink>
          {context.arrived.has(comment.id) ? <Badge tone="good">{t("unread.new")}</Badge> : null}
          {isEdited ? <span>({t("post.edited")})</span> : null}
          {comment.isHidden && !comment.isDeleted ? <Badge tone="warning">{t("common.hidden")}</Badge> : null}
        </div>
        {comment.isDeleted ? null : (
          <ContentTools
            target={{ postId, commentId: comment.id }}
            author={name}
            isHidden={comment.isHidden}
            more={more}
            abilities={comment.abilities}
            isMine={isMine}
            isAnonymous={comment.anonymous !== null}
            onRemoved={() => {
              change(deleted(comment, isMine ? "author" : "admin"));
              focusSoon(comment.id);
            }}
          />
        )}
      </div>
      <Answers thread={thread} postId={postId} />
      {edit.draft ? (
        <CommentEdit draft={edit.draft} topicId={topicId} onSave={edit.save} onCancel={edit.cancel} />
      ) : (
        <Content comment={comment} />
      )}
      {canWrite && replying ? (
        <CommentVoices
          {...{ topicId, postId, parentId: comment.id, name: context.nameless }}
          label={t("post.replyTo", { name })}
          onKept={() => {
            setReplying(false);
            focusSoon(comment.id);
          }}
        >
          <CommentForm
            postId={postId}
            topicId={topicId}
            parentId={comment.id}
            audience={context.audience}
            label={t("post.replyTo", { name })}
            send={t("post.sendReply")}
            focus
            quote={quote}
            onSending={(content) => context.onSending(content, comment.id)}
            onCancel={() => {
              setReplying(false);
              focusSoon(comment.id);
            }}
            onSent={(reply) => {
              setReplying(false);
              context.onSent(reply);
            }}
          />
        </CommentVoices>
      ) : null}
      {edit.draft ? null : (
        <div className="flex flex-wrap items-center gap-x-4 empty:hidden">
          {comment.isDeleted || (comment.isHidden && !comment.content) ? null : (
            <Vote
              postId={postId}
              commentId={comment.id}
              topicId={topicId}
              title={t("post.commentBy", { name })}
              count={comment.upvoteCount}
              voted={comment.userVoted}
            />
          )}
          {comment.anonymous && comment.content && !comment.isDeleted ? (
            <Check postId={postId} commentId={comment.id} />
          ) : null}
          {canWrite && !comment.isDeleted && !replying ? (
            <button
              type="button"
              onClick={() => reply(null)}
              aria-label={t("post.replyTo", { name })}
              aria-keyshortcuts="r"
              className="tap inline-flex h-7 w-fit items-center gap-1.5 text-sm text-soft hover:text-ink"
            >
              <MessageSquare className="size-3.5" aria-hidden />
              {t("post.reply")}
            </button>
          ) : null}
          {children}
        </div>
      )}
    </article>
  );
}

/** Returns whom a reader could block for a comment; null for a former member, and for one without a name. */
function authorOf({ authorId, authorNickname, anonymous }: Comment) {
  if (authorId === null || authorNickname === null || anonymous || isWithdrawn(authorNickname)) return null;
  return { userId: authorId, nickname: authorNickname };
}

function Content({ comment }: { readonly comment: Comment }) {
  const { t } = useWords();
  if (comment.isDeleted) return <p className="text-soft italic">{t("post.commentDeleted")}</p>;
  if (comment.isHidden && !comment.content) {
    return <p className="text-soft italic">{t("moderate.hiddenComment")}</p>;
  }
  return <MarkdownText text={comment.content} names={comment.mentions.map(({ nickname }) => nickname)} />;
}

/** A link to the comment that a reply answers, where its position does not show it. */
function Answers({ thread, postId }: { readonly thread: Thread; readonly postId: string }) {
  const words = useWords();
  const { t } = words;
  const { answers, comment } = thread;
  const parentId = comment.parentId;
  if (!answers || !parentId) return null;
  const name =
    answers === "elsewhere" || answers.authorNickname === null
      ? null
      : nameOf(words, answers.authorNickname, answers.anonymous);
  return (
    <Permalink
      postId={postId}
      commentId={parentId}
      className="tap inline-flex w-fit items-center gap-1 text-sm text-soft hover:text-ink hover:underline"
    >
      <CornerLeftUp className="size-3.5" aria-hidden />
      {answers === "elsewhere"
        ? t("comment.inReplyElsewhere")
        : name === null
          ? t("comment.inReplyToNobody")
          : t("comment.inReplyTo", { name })}
    </Permalink>
  );
}

interface CommentEditProps {
  readonly draft: Draft;
  readonly topicId: string;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}

/** The form in which authors edit a comment. */
function CommentEdit({ draft, topicId, onSave, onCancel }: CommentEditProps) {
  const { t } = useWords();
  const [text, setText] = useState(draft.text);
  const field = useRef<HTMLTextAreaElement>(null);
  const trimmed = text.trim();
  const isTooLong = trimmed.length > LIMITS.comment;
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
    // Show its buttons, too.
    area?.form?.scrollIntoView({ block: "nearest" });
  }, []);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (trimmed && !isTooLong) onSave(trimmed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit();
    if (event.key === "Escape") onCancel();
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      <Field
        label={t("comment.editLabel")}
        error={isTooLong ? t("post.tooLong", { max: LIMITS.comment }) : draft.problem}
      >
        {(control) => (
          <MentionTextarea
            {...control}
            field={field}
            topicId={topicId}
            side="below"
            dir="auto"
            rows={3}
            value={text}
            onValue={setText}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" disabled={!trimmed || isTooLong}>
          {t("common.save")}
        </Button>
        <Button size="sm" tone="quiet" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}

/** The edited text of a comment. */
interface Draft {
  readonly text: string;
  /** Why the server refused it, or null. */
  readonly problem: string | null;
}

/** Edits a comment in place. A refusal restores the old text and reopens the form with the edited text. */
function useCommentEdit(comment: Comment, { edit, focusSoon }: CommentContext) {
  const words = useWords();
  const [draft, setDraft] = useState<Draft | null>(null);
  const leave = () => {
    setDraft(null);
    focusSoon(comment.id);
  };
  const send = async (text: string) => {
    const answer = await edit(comment, text);
    if (answer.ok) toast({ text: words.t("comment.saved") });
    else setDraft({ text, problem: answer.sentence });
  };
  return {
    draft,
    begin: () => setDraft({ text: comment.content, problem: null }),
    cancel: leave,
    save: (text: string) => {
      if (text !== comment.content) void send(text);
      leave();
    },
  };
}
