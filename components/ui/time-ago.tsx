"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { exactTime, relativeTime } from "@/lib/i18n/time";

/**
 * A relative time under a week, a date beyond. The text of the server and of the browser may differ by a minute or a
 * time zone, so hydration does not compare it.
 */
export function TimeAgo({ at, className }: { readonly at: string | number; readonly className?: string }) {
  const words = useWords();
  const moment = new Date(at);
  const [, tick] = useState(0);
  useEffect(() => {
    tick(1);
    const timer = setInterval(() => tick((n) => n + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time
      dateTime={moment.toISOString()}
      title={exactTime(words, moment)}
      className={className}
      suppressHydrationWarning
    >
      {relativeTime(words, moment, new Date())}
    </time>
  );
}
