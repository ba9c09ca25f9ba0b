"use client";

import { useEffect } from "react";
import { setUnread } from "./store";

/** Milliseconds after which the page is taken to be there; not every browser says when it is idle. */
const SOON_MS = 1500;

/** Begins to follow the alerts of somebody who is signed in, once the page has nothing better to do. */
export function AlertsBegin({ userId, initial }: { readonly userId: string; readonly initial: number }) {
  useEffect(() => {
    setUnread(initial);
  }, [initial]);
  useEffect(() => {
    let stop = () => {};
    let gone = false;
    const begin = () =>
      import("./live").then(
        ({ followAlerts }) => {
          if (!gone) stop = followAlerts(userId);
        },
        // Without the script the count is as old as the page.
        () => undefined,
      );
    const timer = setTimeout(() => void begin(), SOON_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
      stop();
      setUnread(null);
    };
  }, [userId]);
  return null;
}
