"use client";

import { useEffect, useSyncExternalStore } from "react";
import { useWords } from "#words";
import { beginLater } from "@/components/begin-later";
import { SpriteUse } from "@/components/ui/sprite-use";
import { setUnread, unreadCount, watchUnread } from "./store";

const unknown = () => null;

/** Returns the number of unread notifications; until the stream reports it, the number that the server rendered. */
export function useUnread(initial: number): number {
  return useSyncExternalStore(watchUnread, unreadCount, unknown) ?? initial;
}

/** The bell of the navigation, with the number of unread notifications. */
export function NotificationBell({ initial }: { readonly initial: number }) {
  const { t } = useWords();
  const count = useUnread(initial);
  return (
    <span className="relative shrink-0">
      <SpriteUse icon="bell" className="size-5" />
      {count === 0 ? null : (
        <span className="absolute -end-2 -top-1.5 min-w-4 rounded-full bg-ink px-1 text-center text-xs leading-4 font-semibold text-paper tabular-nums">
          <span aria-hidden="true">{count > 99 ? "99+" : count}</span>
          <span className="sr-only">{t("bell.words", { n: count })}</span>
        </span>
      )}
    </span>
  );
}

interface FollowProps {
  readonly userId: string;
  /** The number of unread notifications that the server rendered. */
  readonly initial: number;
}

/** Follows the notifications of a signed-in reader, once the page has loaded. */
export function FollowNotifications({ userId, initial }: FollowProps) {
  useEffect(() => setUnread(initial), [initial]);
  useEffect(() => {
    const stop = beginLater(() => import("./live").then((live) => () => live.followNotifications(userId)));
    return () => {
      stop();
      setUnread(null);
    };
  }, [userId]);
  return null;
}
