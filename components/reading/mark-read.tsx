"use client";

import { useEffect } from "react";
import { markRead, type WasRead } from "./mark";

/** How long a page must be visible before what it shows counts as read. */
const LOOK_MS = 1000;

/** Marks what this page shows as read, once somebody has looked at it. Guests' pages and prefetches do not. */
export function MarkRead({ what }: { readonly what: WasRead }) {
  const key = JSON.stringify(what);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      timer = setTimeout(() => {
        document.removeEventListener("visibilitychange", look);
        void markRead(what);
      }, LOOK_MS);
    };
    document.addEventListener("visibilitychange", look);
    look();
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [key]);
  return null;
}
