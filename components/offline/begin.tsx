"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { useWords } from "#words";
import { keepInstallOffer } from "./install-offer";

/** Time after which the page counts as loaded; not every browser has `requestIdleCallback`. */
const START_DELAY_MS = 1500;

/** Starts what makes the site an app (life.ts), once the page has loaded. */
export function OfflineBegin({ userId }: { readonly userId: string | null }) {
  const router = useRouter();
  const words = useWords();
  // A change of these must not restart the effect.
  const latest = useRef({ router, words });
  latest.current = { router, words };
  useEffect(keepInstallOffer, []);
  // Tells browser tests that React handles events from now on.
  useEffect(() => {
    document.documentElement.dataset.hydrated = "";
  }, []);
  useEffect(() => {
    let stop = () => {};
    let gone = false;
    const begin = () =>
      import("./life").then(
        ({ beginLife }) => {
          if (gone) return;
          stop = beginLife({
            userId,
            words: () => latest.current.words,
            refresh: () => latest.current.router.refresh(),
          });
        },
        // Without the script only the offline features are missing.
        () => undefined,
      );
    const timer = setTimeout(() => void begin(), START_DELAY_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
      stop();
    };
  }, [userId]);
  return null;
}
