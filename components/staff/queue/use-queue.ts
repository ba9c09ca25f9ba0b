"use client";

import { useRouter } from "next/navigation";
import { useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "#words";
import type { Failure } from "@/components/call-api";
import { callApi } from "@/components/call-api";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import { canUndo, sendAct, sendActs, sendUndo } from "./calls";
import type { Case, CasePerson, QueueAct, QueueSource } from "./case";
import { DISMISSALS, templateFor } from "./templates";

/** The last act, which the bar says. */
export interface LastAct {
  readonly act: QueueAct;
  /** What it was done to. */
  readonly on: readonly Case[];
  readonly isUndone: boolean;
}

export interface QueueOptions {
  readonly cases: readonly Case[];
  readonly source: QueueSource;
  /** The reader, who claims. */
  readonly me: CasePerson;
  /** Whether answered cases stay in the list. */
  readonly keepsAnswered: boolean;
}

/** Codes that say that someone else was faster. */
const ANSWERED = ["report_not_found", "case_decided"];
const isAnswered = ({ code }: Failure) => code !== null && ANSWERED.includes(code);

/** Milliseconds without an act after which the page loads the rest of the queue. */
const REFRESH_MS = 1500;

/** Changes these cases of a list; null takes them out. */
const replaced = (of: readonly Case[], to: Partial<Case> | null) => (known: readonly Case[]) => {
  const ids = new Set(of.map(({ id }) => id));
  return known.flatMap((one) => (!ids.has(one.id) ? one : to === null ? [] : { ...one, ...to }));
};

/** The cases of a page, with acts that show at once and are undone by a refusal. */
export function useQueue({ cases, source, me, keepsAnswered }: QueueOptions) {
  const words = useWords();
  const { t } = words;
  const { shown, act: send, confirm } = useOptimisticState(cases);
  // A page that was on its way when a case was answered still lists it.
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => shown.filter(({ id }) => !answered.has(id)), [shown, answered]);
  const [last, setLast] = useState<LastAct | null>(null);
  const refresh = useLateRefresh();

  /** How a case looks once something is done about it; null for gone. */
  const after = (act: QueueAct): Partial<Case> | null => {
    if (act === "claim") return { claimedBy: me };
    if (act === "release") return { claimedBy: null };
    if (act === "hold") return { isHeld: true };
    const status = act === "dismiss" || act === "approve" ? "dismissed" : "resolved";
    return keepsAnswered ? { status, acts: [], claims: "none", claimedBy: null } : null;
  };
  const leave = (gone: readonly Case[]) =>
    setAnswered((known) => new Set([...known, ...gone.map(({ id }) => id)]));

  const defaultReason = (of: Case, act: QueueAct) => {
    if (act === "dismiss") return source === "desk" ? t(`reason.templates.${DISMISSALS[0]}`) : "";
    return act === "approve" ? "" : t(`reason.templates.${templateFor(of.reasons)}`);
  };

  const say = (what: QueueAct, on: readonly Case[], isUndone = false) => setLast({ act: what, on, isUndone });

  /** Does something at once. */
  const act = async (of: Case, what: QueueAct, reason = defaultReason(of, what)): Promise<void> => {
    say(what, [of]);
    const result = await send({
      on: of.id,
      change: replaced([of], after(what)),
      send: sendAct(source, of, what, { reason }),
    });
    if (!result.ok) setLast((now) => (now?.on[0] === of ? null : now));
    // Whoever works on a claimed case shows with the refresh.
    if (result.ok ? after(what) === null : isAnswered(result)) leave([of]);
    refresh();
  };

  /** Does something about several cases, each for the reason that fits it. @returns how many could not be answered */
  const actAll = async (all: readonly Case[], what: QueueAct): Promise<number> => {
    say(what, all);
    const byReason = new Map<string, Case[]>();
    for (const of of all) {
      const reason = defaultReason(of, what);
      byReason.set(reason, [...(byReason.get(reason) ?? []), of]);
    }
    const failures = await Promise.all(
      [...byReason].map(async ([reason, group]) => {
        const result = await send({
          on: group.map(({ id }) => id).join(),
          change: replaced(group, after(what)),
          settled: (done) => replaced(done, after(what)),
          send: sendActs(source, group, what, reason),
        });
        if (!result.ok) return group.length;
        if (after(what) === null) leave(result.value);
        return group.length - result.value.length;
      }),
    );
    refresh();
    return failures.reduce((sum, failed) => sum + failed, 0);
  };

  /** Shows what a dialog did. */
  const settle = (of: Case, what: QueueAct) => {
    confirm(replaced([of], after(what)));
    if (after(what) === null) leave([of]);
    say(what, [of]);
    refresh();
  };

  const undo = async () => {
    if (!last || last.isUndone || !canUndo(last.act)) return;
    const { act: what, on } = last;
    say(what, on, true);
    const answers = await Promise.all(on.map((of) => callApi(words, sendUndo(of, what))));
    refresh();
    const failure = answers.find((answer) => !answer.ok);
    if (!failure || failure.ok) return;
    setLast(last);
    toast({ text: failure.sentence, tone: "wrong" });
  };

  /** Claims a case that the reader works on, without a word. */
  const claim = (of: Case) => {
    if (of.claims === "none" || of.claimedBy) return;
    void send({
      on: of.id,
      change: replaced([of], after("claim")),
      send: sendAct(source, of, "claim", { reason: "" }),
    });
  };

  return { rows, last, act, actAll, settle, undo, claim, defaultReason };
}

/** Returns a function that refreshes the page once nothing was done for a moment: each refresh renders the queue. */
function useLateRefresh(): () => void {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => router.refresh(), REFRESH_MS);
  };
}
