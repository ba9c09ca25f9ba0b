"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { useWords } from "#words";
import { AnonymousWaiting, CommentVoices, Crowd, OwnTexts } from "@/components/anonymous/voices";
import { Pending } from "@/components/outbox/pending";
import { NewLine } from "@/components/reading/new-line";
import { NewNote } from "@/components/reading/new-note";
import { ButtonLink } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { nameOf } from "@/components/ui/member-name";
import { Note } from "@/components/ui/notes";
import { commentPlace } from "@/lib/client/places";
import type { Comment } from "@/lib/contract";
import type { CommentSort } from "@/lib/contract/comments";
import { exactCount } from "@/lib/i18n/time";
import { CommentForm } from "./comment-form";
import { OneComment } from "./one-comment";
import { commentElement, Permalink, showComment, useLinkedComment } from "./permalink";
import { useCopyLink } from "./share";
import { buildThreads, COLLAPSED_ABOVE, idsAbove, type Thread } from "./threads";
import { type CommentContext, useCommentList } from "./use-comment-list";
import { useLiveComments } from "./use-live-comments";

export interface CommentsProps
  extends Pick<CommentContext, "postId" | "topicId" | "canWrite" | "audience" | "me"> {
  readonly comments: readonly Comment[];
  readonly total: number;
  readonly sort: CommentSort;
  /** Links to the other orders. */
  readonly order: React.ReactNode;
  /** Address of the first page in this order. */
  readonly start: string;
  /** Whether earlier comments are on another page. */
  readonly isMiddle: boolean;
  /** The reader's nickname, for comments they write. */
  readonly nickname: string;
  /** Whether comments can be written without a name. */
  readonly mayBeNameless: boolean;
  /** The post, where nobody knows its author. */
  readonly namelessPost: { readonly title: string; readonly pseudonym: string } | null;
  /** How many comments are new to the reader, and the oldest; null for none. */
  readonly fresh?: { readonly count: number; readonly first: string | null } | null;
  /** When the server read them, as ISO 8601. */
  readonly asOf: string;
  /** Whether no page follows that has newer ones. */
  readonly isLastPage: boolean;
  /** Whether the reader has a mark of how far they read. */
  readonly marks: boolean;
  /** Shown instead of the form to readers who may not write. */
  readonly otherwise: React.ReactNode;
}

/** The comments below a post. */
export function Comments(props: CommentsProps) {
  const { postId, topicId, canWrite, audience, me, isMiddle, sort } = props;
  // As it was when the page was opened: what is marked as read meanwhile keeps its line.
  const [fresh] = useState(props.fresh ?? null);
  const words = useWords();
  const { t } = words;
  const { comments, total, add, begin, change, edit, isBeingSent } = useCommentList(
    props.comments,
    props.total,
  );
  const arrived = useLiveComments({
    postId,
    isOn: me !== null,
    asOf: props.asOf,
    // The reader's own come with the answer to sending them.
    isShown: ({ id, authorId }) =>
      comments.some((one) => one.id === id) || (authorId === me && isBeingSent()),
    isLastPage: props.isLastPage,
    add,
    marks: props.marks,
  });
  const elsewhere = props.isLastPage ? [] : arrived;
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { copy, asked } = useCopyLink();
  const { focusOn, focusSoon } = useSoonFocused();
  const linked = useLinkedComment();
  const isMissing = linked !== null && !comments.some(({ id }) => id === linked);
  const missing = useLinkedPlace(postId, linked, isMissing);
  const threads = useMemo(() => buildThreads(comments, sort), [comments, sort]);
  const open = useMemo(
    () => new Set([...idsAbove(comments, linked), ...idsAbove(comments, focusOn)]),
    [comments, linked, focusOn],
  );
  const texts = useMemo(() => namelessTexts(props.namelessPost, comments), [props.namelessPost, comments]);
  const toggle = (id: string, isOpen: boolean) => setToggled((map) => new Map(map).set(id, isOpen));
  const onSending = (content: string, parentId: string | null) => {
    if (parentId) toggle(parentId, true);
    return begin({
      postId,
      parentId,
      content,
      author: { userId: me ?? "", nickname: props.nickname },
    });
  };
  const onSent = (comment: Comment) => {
    add(comment);
    if (comment.parentId) toggle(comment.parentId, true);
    focusSoon(comment.id);
  };
  const context = {
    postId,
    topicId,
    canWrite,
    audience,
    nameless: props.mayBeNameless ? props.nickname : null,
    me,
    linked,
    arrived: new Set(arrived.map(({ id }) => id)),
    // In another order, what is below the line is not what is new.
    firstNew: sort === "old" ? (fresh?.first ?? null) : null,
    isOpen: (id: string) => toggled.get(id) ?? (open.has(id) ? true : null),
    toggle,
    onSent,
    onSending,
    change,
    edit,
    focusSoon,
    copy: (commentId: string) => void copy(commentPlace(postId, commentId)),
  };
  return (
    <section aria-labelledby="comments" className="grid gap-5">
      <h2 id="comments" className="flex items-baseline gap-2 font-serif text-xl font-semibold">
        {t("post.comments")}
        <span className="font-sans text-sm font-normal text-soft">{exactCount(words, total)}</span>
      </h2>
      {canWrite ? (
        <CommentVoices
          {...{ topicId, postId, parentId: null, name: context.nameless }}
          label={t("post.addComment")}
        >
          <CommentForm
            postId={postId}
            topicId={topicId}
            parentId={null}
            onSending={(content) => onSending(content, null)}
            audience={audience}
            label={t("post.addComment")}
            send={t("post.send")}
            onSent={onSent}
          />
        </CommentVoices>
      ) : (
        props.otherwise
      )}
      {context.nameless === null ? null : <Crowd topicId={topicId} isQuiet />}
      {/* Who left, or may no longer write, still deletes what they wrote. */}
      {context.nameless !== null || (me !== null && texts.length > 0) ? (
        <>
          <AnonymousWaiting topicId={topicId} postId={postId} />
          <OwnTexts {...{ topicId, postId, texts }} commentCount={total} />
        </>
      ) : null}
      <Pending here={{ kind: "comment", place: postId }} />
      {fresh ? (
        <NewNote text={t("unread.comments", { n: fresh.count })}>
          {fresh.first ? (
            <Permalink postId={postId} commentId={fresh.first} className="link">
              {t("unread.jump")}
            </Permalink>
          ) : null}
        </NewNote>
      ) : null}
      <p role="status" className="sr-only">
        {arrived.length > 0 ? t("unread.arrived", { n: arrived.length }) : null}
      </p>
      {elsewhere[0] ? (
        <NewNote text={t("unread.arrived", { n: elsewhere.length })}>
          <Permalink postId={postId} commentId={elsewhere[0].id} className="link">
            {t("unread.jump")}
          </Permalink>
        </NewNote>
      ) : null}
      {isMissing ? (
        <div ref={missing} tabIndex={-1} role="status" className="rounded-sheet outline-offset-2">
          <Note>{t("comment.missing")}</Note>
        </div>
      ) : null}
      {isMiddle ? (
        <Note
          action={
            <ButtonLink href={props.start} size="sm" scroll={false}>
              {t("comment.fromStart")}
            </ButtonLink>
          }
        >
          {t("comment.middle")}
        </Note>
      ) : null}
      {props.order}
      {threads.length === 0 ? (
        <p className="text-soft">{t("post.commentsEmpty")}</p>
      ) : (
        <CommentThreads threads={threads} context={context} />
      )}
      {asked}
    </section>
  );
}

/** Returns what is on the page of authors whom nobody knows. */
function namelessTexts(post: CommentsProps["namelessPost"], comments: readonly Comment[]) {
  const said = comments.flatMap(({ id, anonymous, content, isDeleted }) =>
    anonymous && !isDeleted ? [{ commentId: id, pseudonym: anonymous.pseudonym, text: content }] : [],
  );
  return post ? [{ commentId: null, pseudonym: post.pseudonym, text: post.title }, ...said] : said;
}

/** Focuses a comment once it is on the page. */
function useSoonFocused() {
  // An object, so that the same comment can be focused twice.
  const [asked, setAsked] = useState<{ readonly id: string } | null>(null);
  useEffect(() => {
    if (asked) document.getElementById(commentElement(asked.id))?.focus();
  }, [asked]);
  return { focusOn: asked?.id ?? null, focusSoon: (id: string) => setAsked({ id }) };
}

/** Scrolls to the linked comment, or to the note that it is missing. Redirects old addresses, with a #. */
function useLinkedPlace(postId: string, linked: string | null, isMissing: boolean) {
  const router = useRouter();
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = linked && !isMissing ? document.getElementById(commentElement(linked)) : note.current;
    if (place) showComment(place);
  }, [linked, isMissing]);
  useEffect(() => {
    const named = /^#comment-([0-9a-f-]{36})$/.exec(window.location.hash)?.[1];
    if (named && !document.getElementById(commentElement(named))) {
      router.replace(commentPlace(postId, named), { scroll: false });
    }
  }, [postId, router]);
  return note;
}

interface ThreadsProps {
  readonly threads: readonly Thread[];
  readonly context: CommentContext;
}

function CommentThreads({ threads, context }: ThreadsProps) {
  return (
    <ol className="grid gap-5">
      {threads.map((thread) => (
        <OneThread key={thread.comment.id} thread={thread} context={context} />
      ))}
    </ol>
  );
}

function OneThread({ thread, context }: { readonly thread: Thread; readonly context: CommentContext }) {
  const words = useWords();
  const { t } = words;
  const id = useId();
  const { comment, replies, size } = thread;
  const isOpen = context.isOpen(comment.id) ?? size <= COLLAPSED_ABOVE;
  const line = context.firstNew === comment.id ? <NewLine /> : null;
  if (size === 0) {
    return (
      <li>
        {line}
        <OneComment thread={thread} context={context} />
      </li>
    );
  }
  const action = t(isOpen ? "comment.hideReplies" : "comment.showReplies", { n: size });
  const name =
    comment.authorNickname === null
      ? t("post.withdrawn")
      : nameOf(words, comment.authorNickname, comment.anonymous);
  const Mark = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      {line}
      <OneComment thread={thread} context={context}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={t("comment.repliesTo", { action, name })}
          onClick={() => context.toggle(comment.id, !isOpen)}
          className="ease tap inline-flex h-7 items-center gap-1 text-sm text-soft hover:text-ink noscript:hidden"
        >
          <Mark className="size-4" aria-hidden />
          {action}
        </button>
      </OneComment>
      {/* Collapsed replies stay in the page, for readers without JavaScript. */}
      <div
        id={id}
        className={cx("mt-4 ms-1 border-s ps-2 sm:ms-2.5 sm:ps-5", !isOpen && "hidden noscript:block")}
      >
        <CommentThreads threads={replies} context={context} />
      </div>
    </li>
  );
}
