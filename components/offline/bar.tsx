"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useWords } from "#words";
import { TimeAgo } from "@/components/ui/time-ago";
import { pageReach, type ReachState } from "@/lib/client/reach";
import { noLongerSaved, reachState, savedAt, watchNetwork } from "./state";

const none = () => null;
const unknown = (): ReachState => "unknown";

/** Returns whether the server answers, as far as this page knows. */
export function useReach(): ReachState {
  return useSyncExternalStore(watchNetwork, reachState, unknown);
}

/** Says that the server does not answer, or that this page is a saved copy and from when. */
export function OfflineBar() {
  const { t } = useWords();
  const reach = useReach();
  const at = useSyncExternalStore(watchNetwork, savedAt, none);
  const path = usePathname();
  const first = useRef(path);
  useEffect(() => {
    // After a navigation the page is no longer the saved copy.
    if (path !== first.current) noLongerSaved();
  }, [path]);
  useEffect(() => {
    // A saved copy means that the server was down or slow; a request finds out which.
    if (savedAt() !== null || !navigator.onLine) pageReach().doubt();
  }, []);
  const isLost = reach === "lost";
  const isShown = (isLost || at !== null) && path !== "/offline";
  return (
    <div role="status" className="sticky top-[calc(52px+env(safe-area-inset-top))] z-20 md:top-0">
      {isShown ? (
        <p className="flex flex-wrap items-center gap-x-2 border-b bg-wash px-4 py-2 text-sm text-soft md:px-6">
          {isLost ? <span>{t("offline.bar")}</span> : null}
          {reach === "reachable" ? <span>{t("offline.slow")}</span> : null}
          {at ? (
            <span>
              {t("offline.savedAt")} <TimeAgo at={at} />.
            </span>
          ) : null}
          {isLost ? null : (
            <button type="button" className="link tap" onClick={() => window.location.reload()}>
              {t("offline.reload")}
            </button>
          )}
        </p>
      ) : null}
    </div>
  );
}
