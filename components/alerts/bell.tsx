"use client";

import { Bell } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useWords } from "#words";
import { unreadCount, watchUnread } from "./store";

const none = () => null;

/** How many alerts are unread now; until this page hears of it, what the server said. */
export function useUnread(initial: number): number {
  return useSyncExternalStore(watchUnread, unreadCount, none) ?? initial;
}

/** The bell of the navigation, with the number of unread alerts. */
export function AlertBell({ initial }: { readonly initial: number }) {
  const { t } = useWords();
  const count = useUnread(initial);
  return (
    <span className="relative shrink-0">
      <Bell className="size-5" aria-hidden />
      {count === 0 ? null : (
        <span className="absolute -end-2 -top-1.5 min-w-4 rounded-full bg-ink px-1 text-center text-xs leading-4 font-semibold text-paper tabular-nums">
          <span aria-hidden="true">{count > 99 ? "99+" : count}</span>
          <span className="sr-only">{t("bell.words", { n: count })}</span>
        </span>
      )}
    </span>
  );
}
