"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useWords } from "#words";
import { TimeAgo } from "@/components/ui/time-ago";
import { isOnline, noLongerSaved, savedAt, watchNetwork } from "./state";

const yes = () => true;
const none = () => null;

/** Whether there is a network, as far as the browser knows; on the server and at first there is. */
export function useOnline(): boolean {
  return useSyncExternalStore(watchNetwork, isOnline, yes);
}

/** Says quietly that there is no network, or that this page is a copy and from when. */
export function OfflineBar() {
  const { t } = useWords();
  const online = useOnline();
  const at = useSyncExternalStore(watchNetwork, savedAt, none);
  const path = usePathname();
  const first = useRef(path);
  useEffect(() => {
    // A page that was gone to from the copy is not one.
    if (path !== first.current) noLongerSaved();
  }, [path]);
  const isShown = (!online || at !== null) && path !== "/offline";
  return (
    <div role="status" className="sticky top-[calc(52px+env(safe-area-inset-top))] z-20 md:top-0">
      {isShown ? (
        <p className="flex flex-wrap items-center gap-x-2 border-b bg-wash px-4 py-2 text-sm text-soft md:px-6">
          <span>{online ? t("offline.slow") : t("offline.bar")}</span>
          {at ? (
            <span>
              {t("offline.savedAt")} <TimeAgo at={at} />.
            </span>
          ) : null}
          {online ? (
            <button type="button" className="link tap" onClick={() => window.location.reload()}>
              {t("offline.reload")}
            </button>
          ) : null}
        </p>
      ) : null}
    </div>
  );
}
