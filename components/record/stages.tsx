"use client";

import { Check } from "lucide-react";
import { useEffect, useState } from "react";
import { useWords } from "#words";
import { Spinner } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { duration } from "@/lib/i18n/time";

/** Unix times in milliseconds; null while it has not come to that. */
export interface Stages {
  readonly begunAt: number;
  readonly sentAt: number | null;
  readonly confirmedAt: number | null;
}

/** A record on its way to the chain, with the time it took so far. */
export function RecordStages({ stages: { begunAt, sentAt, confirmedAt } }: { readonly stages: Stages }) {
  const words = useWords();
  const [now, setNow] = useState(begunAt);
  const isOver = confirmedAt !== null;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, [isOver]);
  const rows = [
    { name: words.t("record.stages.sent"), at: sentAt, isActive: sentAt === null },
    { name: words.t("record.stages.confirmed"), at: confirmedAt, isActive: sentAt !== null && !isOver },
  ];
  return (
    <ol aria-label={words.t("record.stagesLabel")} className="grid gap-2">
      {rows.map(({ name, at, isActive }) => (
        <li key={name} aria-current={isActive ? "step" : undefined} className="flex items-center gap-3">
          <span
            className={cx(
              "inline-flex size-7 items-center justify-center rounded-full border-2",
              at !== null
                ? "border-ink bg-ink text-paper"
                : isActive
                  ? "border-seal text-seal"
                  : "border-line",
            )}
          >
            {at !== null ? <Check className="size-4" aria-hidden /> : isActive ? <Spinner /> : null}
          </span>
          <span className={cx("flex-1", at === null && !isActive && "text-soft")}>{name}</span>
          <span className="text-sm text-soft tabular-nums">
            {at !== null || isActive ? duration(words, Math.max(0, (at ?? now) - begunAt)) : null}
          </span>
        </li>
      ))}
    </ol>
  );
}
