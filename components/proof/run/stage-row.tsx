"use client";

import { Check, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "#words";
import { Spinner } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { DEVELOPMENT_WALLET } from "@/components/wallet/discover";
import { duration, megabytes } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import type { ProvingSheet } from "@/lib/proofs/artifact";
import { pointsPart } from "@/lib/proofs/ceremony";
import type { ProvingProgress } from "../browser/driver";
import { availableThreads, expectedHere } from "../browser/support";
import type { PublicConfig } from "../config";
import { askedServices } from "../demand";
import { circuitOf, isWalletRun, type Run, type Stage, type Subject, stagesOf } from "./types";

type StageState = "ahead" | "active" | "waiting" | "done" | "failed";

function stateOf(run: Run, stage: Stage, working: boolean): StageState {
  const order = stagesOf(run);
  const at = order.indexOf(run.stage);
  const own = order.indexOf(stage);
  if (own < at || run.sealed) return "done";
  if (own > at) return "ahead";
  if (run.problem) return "failed";
  return working ? "active" : "waiting";
}

/** Usual durations of stages; for proving, the prover may name a better value. */
const USUAL_MS: Partial<Record<Stage, number>> = {
  payment: 4000,
  witness: 1500,
  proving: 6000,
  checking: 2000,
};

function sheetOf({ browserProving }: PublicConfig, run: Run): ProvingSheet | undefined {
  return browserProving.offered ? browserProving.circuits[circuitOf(run)] : undefined;
}

/** Returns the usual duration of a run's stage in milliseconds; null when unknown. */
function expectedOf(stage: Stage, run: Run, config: PublicConfig): number | null {
  const sheet = run.prover.kind === "browser" ? sheetOf(config, run) : undefined;
  const { work } = run;
  if (!sheet) {
    const told = stage === "proving" && work?.at === "prover" ? work.expectedMs : null;
    return told ?? USUAL_MS[stage] ?? null;
  }
  const here = expectedHere(sheet.points, availableThreads());
  if (stage === "prepare" || stage === "witness") return here[stage];
  // The proving stage also makes the circuit's key, once per browser.
  if (stage === "proving") return here.proving + (work?.at === "browser" && work.isKeyMade ? here.key : 0);
  return USUAL_MS[stage] ?? null;
}

/** Returns what the active stage waits for; null while it just works. */
function noteOf(words: Words, run: Run, config: PublicConfig, working: boolean): string | null {
  const { work } = run;
  if (work?.at === "browser" && working) return noteHere(words, work.progress, sheetOf(config, run));
  if (work?.at === "queue" && work.position !== null) {
    const place = words.t("run.position", { n: work.position });
    return work.expectedMs
      ? words.t("run.expected", { place, time: duration(words, work.expectedMs) })
      : place;
  }
  const paying = run.stage === "payment" && !run.payment && run.walletId !== DEVELOPMENT_WALLET;
  const signing = run.stage === "sign" && working && isWalletRun(run);
  const asked = paying || (signing && run.subject.holderId !== DEVELOPMENT_WALLET);
  return asked ? words.t("wallet.browser") : null;
}

function noteHere(words: Words, { stage, fraction }: ProvingProgress, sheet: ProvingSheet | undefined) {
  switch (stage) {
    case "loading":
      return words.t("prover.at.loading");
    case "points":
      return words.t("prover.at.points", {
        percent: fraction ?? 0,
        size: megabytes(words, sheet ? pointsPart(sheet.points).bytes : 0),
      });
    case "key":
      return words.t("prover.at.key");
    case "proving":
      return words.t("prover.at.threads", { n: availableThreads() });
    default:
      return null;
  }
}

/** Returns what happens in a stage, and what leaves this device in it. */
function stageWords(words: Words, stage: Stage, { subject, prover }: Run, config: PublicConfig) {
  const isHere = prover.kind === "browser";
  if (isHere && (stage === "prepare" || stage === "witness" || stage === "proving")) {
    const part = stage === "prepare" ? stage : "work";
    return { about: words.t(`prover.about.${stage}`), leaves: words.t(`prover.leaves.${part}`) };
  }
  const usual = usualWords(words, stage, subject, config);
  return isHere && stage === "checking" ? { ...usual, leaves: words.t("prover.leaves.checking") } : usual;
}

function usualWords(words: Words, stage: Stage, subject: Subject, config: PublicConfig) {
  const { t } = words;
  const none = { about: "", leaves: "" };
  // Only a proof made in this browser is prepared.
  if (stage === "prepare") return none;
  const part = stage === "witness" || stage === "proving" ? "work" : stage;
  if (subject.kind === "wallet") {
    const services = askedServices(words, config, subject.circuit);
    const isSameWork = stage === "proving" || stage === "checking" || stage === "sealed";
    const leavesTheSame = part === "price" || part === "work" || part === "checking";
    return {
      about: isSameWork ? t(`run.about.${stage}`) : t(`attested.about.${stage}`),
      leaves: leavesTheSame ? t(`run.leaves.${part}`) : t(`attested.leaves.${part}`, { services }),
    };
  }
  // Only wallets sign on this page.
  if (stage === "sign" || part === "sign") return none;
  return { about: t(`run.about.${stage}`), leaves: t(`run.leaves.${part}`) };
}

export interface StageRowProps {
  readonly stage: Stage;
  readonly run: Run;
  readonly config: PublicConfig;
  readonly working: boolean;
  readonly children?: ReactNode;
}

/** Returns the current time, updated while `ticking`. */
function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}

/** One stage: what happens in it, its elapsed and expected time, and what leaves the device. */
export function StageRow({ stage, run, config, working, children }: StageRowProps) {
  const words = useWords();
  const state = stateOf(run, stage, working);
  const time = run.times[stage];
  const expectedMs = expectedOf(stage, run, config);
  const { about, leaves } = stageWords(words, stage, run, config);
  const note = stage === run.stage ? noteOf(words, run, config, working) : null;
  const fraction = stage === run.stage && run.work?.at === "browser" ? run.work.progress.fraction : null;
  const last = stage === "sealed";
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
            {state === "done" && time && !last ? duration(words, elapsed) : null}
          </span>
        </p>
        {shown ? (
          <>
            <p className="text-soft">{about}</p>
            {note ? <p className="text-sm">{note}</p> : null}
            {state === "active" && expectedMs ? (
              <progress
                aria-label={words.t(`run.stages.${stage}`)}
                className="run-bar h-1.5 w-full"
                max={1}
                value={fraction ?? Math.min(elapsed / expectedMs, 0.97)}
              />
            ) : null}
            <p className="text-sm text-soft">{leaves}</p>
          </>
        ) : null}
        {children}
      </div>
    </li>
  );
}

const dotLooks: Record<StageState, string> = {
  ahead: "border-line bg-sheet",
  active: "border-seal bg-sheet text-seal",
  waiting: "border-seal bg-sheet text-seal",
  done: "border-ink bg-ink text-paper",
  failed: "border-seal bg-sheet text-seal",
};

function StageDot({ state }: { readonly state: StageState }) {
  return (
    <span
      className={cx(
        "z-10 inline-flex size-7 items-center justify-center rounded-full border-2",
        dotLooks[state],
      )}
    >
      {state === "active" ? <Spinner /> : null}
      {state === "waiting" ? <span className="size-2.5 rounded-full bg-seal" /> : null}
      {state === "done" ? <Check className="size-4" aria-hidden /> : null}
      {state === "failed" ? <X className="size-4" aria-hidden /> : null}
    </span>
  );
}
