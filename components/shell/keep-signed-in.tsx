"use client";

import { usePathname } from "next/navigation";
import { useEffect, useMemo } from "react";
import { createRenewal } from "./renewal";

interface KeepSignedInProps {
  /** Milliseconds since the session's token was issued. */
  readonly ageMs: number;
}

/** Renews the session while the site is used: on navigation, and when its tab becomes visible. */
export function KeepSignedIn({ ageMs }: KeepSignedInProps) {
  const path = usePathname();
  const renewIfDue = useMemo(() => createRenewal({ renew, now: Date.now, wait }, ageMs), [ageMs]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation counts as use
  useEffect(() => {
    const renewIfVisible = () => {
      if (document.visibilityState === "visible") void renewIfDue();
    };
    renewIfVisible();
    document.addEventListener("visibilitychange", renewIfVisible);
    return () => document.removeEventListener("visibilitychange", renewIfVisible);
  }, [path, renewIfDue]);
  return null;
}

// Not the typed client, which every first load would include. With `keepalive`, closing the tab does not lose the new
// cookie.
const renew = () => fetch("/api/auth/refresh", { method: "POST", keepalive: true });

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
