"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { beginLater } from "@/components/begin-later";
import { markRead } from "@/components/reading/mark";
import type { Comment } from "@/lib/contract";

/** What was written while the server rendered the page may be missing from it. */
const OVERLAP_MS = 5_000;

export interface LiveCommentsOptions {
  readonly postId: string;
  /** Whether there is somebody who may follow. */
  readonly isOn: boolean;
  /** When the server read the page's comments. */
  readonly asOf: string;
  readonly isShown: (comment: Comment) => boolean;
  /** Whether the page goes on to the newest comments. */
  readonly isLastPage: boolean;
  readonly add: (comment: Comment) => void;
  /** Whether the reader's mark moves to what they see. */
  readonly marks: boolean;
}

/** Adds comments to a page as others write them. @returns those that came, whether or not they were added */
export function useLiveComments(options: LiveCommentsOptions): readonly Comment[] {
  const { postId, isOn } = options;
  const [arrived, setArrived] = useState<readonly Comment[]>([]);
  const onLatest = useEffectEvent((latest: readonly Comment[]) => {
    const { asOf, isShown, isLastPage, add, marks } = options;
    const since = new Date(Date.parse(asOf) - OVERLAP_MS).toISOString();
    const fresh = latest.filter(
      (one) =>
        one.createdAt > since &&
        !one.isDeleted &&
        !one.isHidden &&
        !isShown(one) &&
        !arrived.some(({ id }) => id === one.id),
    );
    const last = fresh.at(-1);
    if (!last) return;
    setArrived([...arrived, ...fresh]);
    if (!isLastPage) return;
    for (const one of fresh) add(one);
    if (marks && document.visibilityState === "visible") {
      void markRead({ threadOf: postId, commentId: last.id });
    }
  });
  useEffect(() => {
    if (!isOn) return;
    return beginLater(async () => {
      const { followThread } = await import("./follow-thread");
      return () => followThread(postId, (latest) => onLatest(latest));
    });
  }, [postId, isOn]);
  return arrived;
}
