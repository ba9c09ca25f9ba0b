"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { useWords } from "#words";
import { keepInstallOffer } from "./install-offer";

/** Milliseconds after which the page is taken to be there; not every browser says when it is idle. */
const SOON_MS = 1500;

/** Begins what makes the site an app (life.ts), once the page has nothing better to do. */
export function OfflineBegin({ userId }: { readonly userId: string | null }) {
  const router = useRouter();
  const words = useWords();
  // Neither ends what was begun when it changes.
  const latest = useRef({ router, words });
  latest.current = { router, words };
  useEffect(keepInstallOffer, []);
  // From here on React hears what is pressed; browser tests press nothing before.
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
        // Without the script there is no copy, and nothing else is different.
        () => undefined,
      );
    const timer = setTimeout(() => void begin(), SOON_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
      stop();
    };
  }, [userId]);
  return null;
}
