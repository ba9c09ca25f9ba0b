"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { useWords } from "#words";
import { silence } from "@/components/call-api";
import type { Words } from "@/lib/i18n/words";
import type { PublicConfig, PublicOffer } from "../config";
import { keepProverChoice, mustReload, type ProverChoice } from "../prover-choice";
import { goesOnAlone, isOver, type RunEvent, reduce } from "./machine";
import { dropRun, holdRun, loadRun, saveRun } from "./storage";
import type { PayChoice, Purpose, Run } from "./types";

interface Shown {
  /** undefined until the browser has looked; null when this page has no run. */
  readonly run: Run | null | undefined;
  /** A run of this tab for something else that is not finished. */
  readonly other: Run | null;
  /** True while the driver is at work. */
  readonly working: boolean;
}

interface RunActs {
  /** Starts a run that begins on this page. */
  readonly begin: (run: Run) => void;
  /** Goes on from where the run is: connects, signs, pays, resends, or hands the proof in. */
  readonly go: (choices?: PayChoice, offers?: readonly PublicOffer[] | null) => void;
  /** Goes to the identity provider once more, for a paid run whose token is needed again. */
  readonly identify: () => void;
  /** Replaces a one-time code that is about to expire while the member reads it. */
  readonly renew: () => void;
  /** Has another prover make the proof, from what is already here. */
  readonly change: (prover: ProverChoice) => void;
  /** Gives the run up, secrets included. */
  readonly cancel: () => void;
}

export type RunControl = Shown & RunActs;

function samePurpose(a: Purpose, b: Purpose): boolean {
  if (a.kind === "join" && b.kind === "join") return a.topicId === b.topicId;
  if (a.kind === "invite" && b.kind === "invite") return a.code === b.code;
  if (a.kind === "relay" && b.kind === "relay") return a.requestId === b.requestId;
  return a.kind === b.kind;
}

/**
 * Whether a member has put anything into a run: a trip to the provider that never came back is nothing. What is paid is
 * offered on every page already.
 */
function isUnderWay(run: Run): boolean {
  if (run.problem?.final || run.sealed || run.payment) return false;
  return run.subject.kind === "wallet" || run.stage !== "identity";
}

/** The run of this tab for one purpose, without React: what it shows, and what a person can do with it. */
function runControl(config: PublicConfig, purpose: Purpose, words: Words) {
  let shown: Shown = { run: undefined, other: null, working: false };
  let abort: AbortController | null = null;
  const listeners = new Set<() => void>();
  const show = (change: Partial<Shown>) => {
    shown = { ...shown, ...change };
    for (const listener of listeners) listener();
  };
  const dispatch = (event: RunEvent) => {
    if (!shown.run) return;
    const run = reduce(shown.run, event, Date.now());
    saveRun(run);
    show({ run });
  };
  /** What a driver needs. A run that was given up, or left for another page, hears no more of what was under way. */
  const parts = (started: Run, signal: AbortSignal) => ({
    ...{ config, words, signal },
    dispatch: (event: RunEvent) => (signal.aborted ? undefined : dispatch(event)),
    read: () => shown.run ?? started,
  });

  const go = async (choice?: PayChoice, offers?: readonly PublicOffer[] | null) => {
    const started = shown.run;
    if (!started || abort) return;
    const controller = new AbortController();
    abort = controller;
    show({ working: true });
    if (choice) dispatch({ type: "payer-chosen", choice });
    if (offers) dispatch({ type: "priced", offers });
    const held = parts(started, controller.signal);
    // Without a network the script may be missing; what was done so far stays, and the button goes on from it.
    const driver = await import("./driver").catch(() => null);
    if (driver) await driver.drive(held);
    else held.dispatch({ type: "failed", problem: { message: words.t(silence()), final: false } });
    if (abort !== controller) return;
    abort = null;
    show({ working: false });
  };

  const resume = async (run: Run, signal: AbortSignal) => {
    if (goesOnAlone(run, false)) return go();
    if (isOver(run) || run.prover.kind === "browser") return;
    // Without it the button says what is missing.
    const driver = await import("./driver").catch(() => null);
    if ((await driver?.canResume(parts(run, signal))) && !signal.aborted) await go();
  };

  const acts: RunActs = {
    go,
    begin(run) {
      saveRun(run);
      show({ run });
      if (mustReload(run)) return window.location.assign(run.page);
      void go();
    },
    change(prover) {
      const before = shown.run;
      if (!before || abort) return;
      dispatch({ type: "prover-changed", prover });
      if (shown.run === before) return;
      keepProverChoice(prover);
      if (mustReload({ prover })) return window.location.reload();
      // What costs nothing needs no further button.
      if (prover.kind === "browser") void go();
    },
    async renew() {
      const { run } = shown;
      if (!run || abort) return;
      const held = {
        read: () => shown.run ?? run,
        dispatch: (e: RunEvent) => (abort ? undefined : dispatch(e)),
      };
      // What fails here is told when the button is pressed.
      await import("./inputs").then(({ renewChallenge }) => renewChallenge(held)).catch(() => false);
    },
    async identify() {
      const { run } = shown;
      if (!run || abort) return;
      show({ working: true });
      try {
        const { identifyAgain } = await import("./challenge");
        const { asked, url } = await identifyAgain(run, config, window.location.origin);
        dispatch(asked);
        window.location.assign(url);
      } catch (cause) {
        const problems = await import("./problems").catch(() => null);
        const { message } = problems?.problemOf(words, cause, true) ?? { message: words.t(silence()) };
        dispatch({ type: "failed", problem: { message, final: false } });
        show({ working: false });
      }
    },
    cancel() {
      const { run } = shown;
      if (run?.payment) void import("./driver").then(({ giveUp }) => giveUp(run));
      abort?.abort();
      abort = null;
      dropRun();
      show({ run: null, working: false });
    },
  };

  return {
    acts,
    shown: () => shown,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Looks for this tab's run. @returns the end of it: the page is left */
    open() {
      const stored = loadRun();
      const run = stored && samePurpose(stored.purpose, purpose) ? stored : null;
      show({ run, other: stored && !run && isUnderWay(stored) ? stored : null });
      const left = new AbortController();
      if (run) void resume(run, left.signal);
      return () => {
        left.abort();
        abort?.abort();
        abort = null;
      };
    },
  };
}

/** The run of this tab for one purpose, and the driver that performs its steps (loaded when it is needed). */
export function useRun(config: PublicConfig, purpose: Purpose): RunControl {
  const words = useWords();
  // The purpose of a page does not change while it is shown.
  const [control] = useState(() => runControl(config, purpose, words));
  const shown = useSyncExternalStore(control.subscribe, control.shown, control.shown);
  useEffect(() => control.open(), [control]);
  const id = shown.run?.id;
  useEffect(() => (id === undefined ? undefined : holdRun(id)), [id]);
  return { ...shown, ...control.acts };
}
