"use client";

import { usePathname } from "next/navigation";
import { useEffect, useMemo } from "react";
import { createRenewal } from "./renewal";

interface KeepSignedInProps {
  /** Milliseconds since the session's token was issued. */
  readonly ageMs: number;
}

/** Renews the session while the site is used: at every step from page to page, and when its tab is shown again. */
export function KeepSignedIn({ ageMs }: KeepSignedInProps) {
  const path = usePathname();
  const renewIfDue = useMemo(() => createRenewal({ renew, now: Date.now, wait }, ageMs), [ageMs]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step to another page is use, whatever the page.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") void renewIfDue();
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [path, renewIfDue]);
  return null;
}

// Not the typed client, which would be part of every page's first load. `keepalive`: closing the tab must not lose the
// cookie of a session that has been renewed.
const renew = () => fetch("/api/auth/refresh", { method: "POST", keepalive: true });

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
