"use client";

import { useMemo, useRef, useState } from "react";
import { useOptimisticState } from "@/components/use-optimistic";
import type { Comment } from "@/lib/contract";

/** A comment that the server does not have yet. */
interface Written {
  readonly postId: string;
  readonly parentId: string | null;
  readonly content: string;
  readonly author: { readonly userId: string; readonly nickname: string };
}

const SENDING_PREFIX = "sending:";

/** Returns whether the comment is being sent. */
export function isSending({ id }: Comment): boolean {
  return id.startsWith(SENDING_PREFIX);
}

function unsentComment({ author, ...written }: Written): Comment {
  const now = new Date().toISOString();
  return {
    ...written,
    id: `${SENDING_PREFIX}${crypto.randomUUID()}`,
    authorId: author.userId,
    authorNickname: author.nickname,
    authorProfileImage: null,
    anonymous: null,
    automated: false,
    authorDomains: [],
    mentions: [],
    upvoteCount: 0,
    userVoted: null,
    createdAt: now,
    updatedAt: now,
    isDeleted: false,
    isHidden: false,
    isFolded: false,
    deletedBy: null,
    abilities: [],
  };
}

/** Keeps a page's comments, as the server rendered and counted them, with the reader's changes. */
export function useCommentList(read: readonly Comment[], total: number) {
  const added = useRef<readonly Comment[]>([]);
  const base = useMemo(() => [...read, ...without(added.current, read)], [read]);
  const { shown, act, confirm } = useOptimisticState<readonly Comment[]>(base);
  const [sending, setSending] = useState<readonly Comment[]>([]);
  const isThere = ({ isDeleted }: Comment) => !isDeleted;
  return {
    /** As the server ordered them, then what the reader wrote. */
    comments: useMemo(() => [...shown, ...sending], [shown, sending]),
    /** Number of comments of the post without deleted ones. */
    total: total + shown.filter(isThere).length - read.filter(isThere).length,
    /** Adds a comment, unless it is there already. */
    add(comment: Comment) {
      added.current = [...without(added.current, [comment]), comment];
      confirm((list) => [...without(list, [comment]), comment]);
    },
    isBeingSent: () => sending.length > 0,
    /** Shows a comment while it is sent. @returns removes it again, once there is a response */
    begin(written: Written) {
      const one = unsentComment(written);
      setSending((list) => [...list, one]);
      return () => setSending((list) => without(list, [one]));
    },
    /** Replaces a comment with the server's version. */
    change: (comment: Comment) => confirm(replaced(comment)),
    /** Edits a comment; the new text shows at once, and a refusal restores the old text. */
    edit: (comment: Comment, content: string) =>
      act({
        on: comment.id,
        change: replaced({ ...comment, content }),
        send: async ({ api, contract }) =>
          (await api.call(contract.comments.update, { commentId: comment.id, content })).comment,
        settled: replaced,
        toast: () => null,
      }),
  };
}

function replaced(comment: Comment) {
  return (list: readonly Comment[]) => list.map((one) => (one.id === comment.id ? comment : one));
}

function without(list: readonly Comment[], others: readonly Comment[]): readonly Comment[] {
  const ids = new Set(others.map(({ id }) => id));
  return list.filter(({ id }) => !ids.has(id));
}

/** Returns a comment as it is after its deletion. */
export function deleted(comment: Comment, deletedBy: Comment["deletedBy"]): Comment {
  return {
    ...comment,
    isDeleted: true,
    deletedBy,
    upvoteCount: 0,
    userVoted: null,
    content: "",
    mentions: [],
    authorId: null,
    authorNickname: null,
    authorProfileImage: null,
    anonymous: null,
    authorDomains: [],
    isFolded: false,
    abilities: [],
  };
}

/** What every comment of a post knows and can do. */
export interface CommentContext extends Pick<ReturnType<typeof useCommentList>, "change" | "edit"> {
  readonly postId: string;
  readonly topicId: string;
  readonly canWrite: boolean;
  /** Who will read what the reader writes, and under which name. */
  readonly audience: string;
  /** The nickname of a reader who may comment without it; null for all others. */
  readonly nameless: string | null;
  /** User id of the reader; null for a guest. */
  readonly me: string | null;
  /** Id of the comment that the address links to. */
  readonly linked: string | null;
  /** Ids of the comments that were written while the page was open. */
  readonly arrived: ReadonlySet<string>;
  /** The oldest comment that is new to the reader, which has a line above it. */
  readonly firstNew: string | null;
  /** Whether its replies are shown; null where the reader has not chosen. */
  readonly isOpen: (commentId: string) => boolean | null;
  readonly toggle: (commentId: string, isOpen: boolean) => void;
  readonly onSent: (comment: Comment) => void;
  readonly onSending: (content: string, parentId: string | null) => () => void;
  readonly focusSoon: (commentId: string) => void;
  readonly copy: (commentId: string) => void;
}
