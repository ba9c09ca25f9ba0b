"use client";

import { Check, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "#words";
import { Spinner } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { duration } from "@/lib/i18n/time";
import type { Stage, StageTime } from "./types";

export type StageState = "ahead" | "active" | "waiting" | "done" | "failed";

export interface StageRowProps {
  readonly stage: Stage;
  readonly state: StageState;
  readonly time: StageTime | undefined;
  readonly expectedMs: number | null;
  /** 0 to 1, where more is known than the time. */
  readonly fraction?: number | null;
  readonly note?: string | null;
  /** What happens in this stage. */
  readonly about: string;
  /** What leaves this device in it. */
  readonly leaves: string;
  readonly last?: boolean;
  readonly children?: ReactNode;
}

/** The clock, ticking while something is measured. */
function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}

/** One stage: what happens, how long it takes and should take, what leaves the device. */
export function StageRow(props: StageRowProps) {
  const words = useWords();
  const { stage, state, time, expectedMs, note, last, children } = props;
  const now = useNow(state === "active");
  const elapsed = time ? Math.max(0, (time.end ?? now) - time.start) : 0;
  const shown = state === "active" || state === "waiting" || state === "failed";
  return (
    <li
      className="relative grid grid-cols-[28px_minmax(0,1fr)] gap-x-3"
      aria-current={shown ? "step" : undefined}
    >
      {last ? null : (
        <span
          aria-hidden="true"
          className={cx(
            "absolute start-[13px] top-8 bottom-0 w-0.5",
            state === "done" ? "bg-ink" : "bg-line",
          )}
        />
      )}
      <StageDot state={state} />
      <div className={cx("grid gap-1 pt-0.5", last ? "" : "pb-5")}>
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className={cx("font-medium", state === "ahead" && "text-soft")}>
            {words.t(`run.stages.${stage}`)}
          </span>
          <span className="text-sm text-soft tabular-nums">
            {state === "active" && expectedMs
              ? words.t("run.elapsed", {
                  elapsed: duration(words, elapsed),
                  expected: duration(words, expectedMs),
                })
              : null}
            {state === "done" && time && stage !== "sealed" ? duration(words, elapsed) : null}
          </span>
        </p>
        {shown ? (
          <>
            <p className="text-soft">{props.about}</p>
            {note ? <p className="text-sm">{note}</p> : null}
            {state === "active" && expectedMs ? (
              <progress
                aria-label={words.t(`run.stages.${stage}`)}
                className="run-bar h-1.5 w-full"
                max={1}
                value={props.fraction ?? Math.min(elapsed / expectedMs, 0.97)}
              />
            ) : null}
            <p className="text-sm text-soft">{props.leaves}</p>
          </>
        ) : null}
        {children}
      </div>
    </li>
  );
}

function StageDot({ state }: { readonly state: StageState }) {
  const base = "z-10 inline-flex size-7 items-center justify-center rounded-full border-2";
  if (state === "done") {
    return (
      <span className={cx(base, "border-ink bg-ink text-paper")}>
        <Check className="size-4" aria-hidden />
      </span>
    );
  }
  if (state === "failed") {
    return (
      <span className={cx(base, "border-seal bg-sheet text-seal")}>
        <X className="size-4" aria-hidden />
      </span>
    );
  }
  return (
    <span className={cx(base, "bg-sheet", state === "ahead" ? "border-line" : "border-seal text-seal")}>
      {state === "active" ? <Spinner /> : null}
      {state === "waiting" ? <span className="size-2.5 rounded-full bg-seal" /> : null}
    </span>
  );
}
