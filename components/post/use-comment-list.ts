"use client";

import { useMemo, useState } from "react";
import type { Comment } from "@/lib/contract";

export interface CommentList {
  /** As they are to be shown, oldest first. */
  readonly comments: readonly Comment[];
  /** How many the post has, deleted ones not counted. */
  readonly total: number;
  readonly add: (comment: Comment) => void;
  /** Shows a comment like this, until the page is read anew. */
  readonly change: (comment: Comment) => void;
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
  const [added, setAdded] = useState<readonly Comment[]>([]);
  const [sending, setSending] = useState<readonly Comment[]>([]);
  const [changed, setChanged] = useState<{ readonly of: readonly Comment[]; readonly byId: Changes }>({
    of: read,
    byId: new Map(),
  });
  // What the server says later counts for more.
  const changes = changed.of === read ? changed.byId : none;
  const shown = useMemo(() => {
    const seen = new Set(read.map(({ id }) => id));
    const fresh = added.filter(({ id }) => !seen.has(id));
    const comments = [...read, ...fresh].map((comment) => changes.get(comment.id) ?? comment);
    const gone = [...read, ...fresh].filter(
      ({ id, isDeleted }) => !isDeleted && changes.get(id)?.isDeleted,
    ).length;
    return { comments: [...comments, ...sending], total: total + fresh.length - gone };
  }, [read, added, sending, changes, total]);
  return {
    ...shown,
    add: (comment) => setAdded((list) => [...list, comment]),
    begin(written) {
      const one = onItsWay(written);
      setSending((list) => [...list, one]);
      return () => setSending((list) => list.filter(({ id }) => id !== one.id));
    },
    change: (comment) =>
      setChanged(({ of, byId }) => ({
        of: read,
        byId: new Map(of === read ? byId : none).set(comment.id, comment),
      })),
  };
}

type Changes = ReadonlyMap<string, Comment>;
const none: Changes = new Map();

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
