"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { useWords } from "#words";
import { beginLater } from "@/components/begin-later";
import { keepInstallOffer } from "./install-offer";

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
    const life = {
      userId,
      words: () => latest.current.words,
      refresh: () => latest.current.router.refresh(),
    };
    return beginLater(() => import("./life").then((app) => () => app.beginLife(life)));
  }, [userId]);
  return null;
}
