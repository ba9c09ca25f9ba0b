"use client";

import { useMemo, useRef, useState } from "react";
import type { ApiResult } from "@/components/call-api";
import { useOptimisticState } from "@/components/use-optimistic";
import type { Comment } from "@/lib/contract";

export interface CommentList {
  /** As they are to be shown, oldest first. */
  readonly comments: readonly Comment[];
  /** How many the post has, deleted ones not counted. */
  readonly total: number;
  readonly add: (comment: Comment) => void;
  /** Shows a comment as the server has it now. */
  readonly change: (comment: Comment) => void;
  /** Changes the text of a comment; it shows at once, and a refusal restores what was there. */
  readonly edit: (comment: Comment, content: string) => Promise<ApiResult<Comment>>;
  /** Shows a comment that is on its way. @returns takes it back, once there is an answer */
  readonly begin: (written: Written) => () => void;
}

/** A comment before the server has it. */
interface Written {
  readonly postId: string;
  readonly parentId: string | null;
  readonly content: string;
  readonly author: { readonly userId: string; readonly nickname: string };
}

const sendingPrefix = "sending:";

/** Whether a comment is on its way. */
export function isSending({ id }: Comment): boolean {
  return id.startsWith(sendingPrefix);
}

function onItsWay({ author, ...written }: Written): Comment {
  const now = new Date().toISOString();
  return {
    ...written,
    id: `${sendingPrefix}${crypto.randomUUID()}`,
    authorId: author.userId,
    authorNickname: author.nickname,
    authorProfileImage: null,
    authorDomains: [],
    mentions: [],
    createdAt: now,
    updatedAt: now,
    isDeleted: false,
    isHidden: false,
    deletedBy: null,
    abilities: [],
  };
}

/**
 * A page's comments with what the reader did to them since it was read.
 * @param read as the server gave them
 * @param total how many the server counted
 */
export function useCommentList(read: readonly Comment[], total: number): CommentList {
  const added = useRef<readonly Comment[]>([]);
  const base = useMemo(() => [...read, ...without(added.current, read)], [read]);
  const { shown, act, confirm } = useOptimisticState<readonly Comment[]>(base);
  const [sending, setSending] = useState<readonly Comment[]>([]);
  const isThere = ({ isDeleted }: Comment) => !isDeleted;
  return {
    comments: useMemo(() => [...shown, ...sending], [shown, sending]),
    total: total + shown.filter(isThere).length - read.filter(isThere).length,
    add(comment) {
      added.current = [...added.current, comment];
      confirm((list) => [...list, comment]);
    },
    begin(written) {
      const one = onItsWay(written);
      setSending((list) => [...list, one]);
      return () => setSending((list) => without(list, [one]));
    },
    change: (comment) => confirm(replaced(comment)),
    edit: (comment, content) =>
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

/** A comment as it stands once it is deleted. */
export function deleted(comment: Comment, deletedBy: Comment["deletedBy"]): Comment {
  return {
    ...comment,
    isDeleted: true,
    deletedBy,
    content: "",
    mentions: [],
    authorId: null,
    authorNickname: null,
    authorProfileImage: null,
    authorDomains: [],
    abilities: [],
  };
}
