"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { useWords } from "#words";
import { networkProblem } from "@/components/call-api";
import type { Words } from "@/lib/i18n/words";
import type { PublicConfig } from "../config";
import { keepProverChoice, mustReload, type ProverChoice } from "../prover-choice";
import { goesOnAlone, isOver, type RunEvent, reduce } from "./machine";
import { dropRun, holdRun, loadRun, saveRun } from "./storage";
import { circuitOf, type PayChoice, type Purpose, type Run } from "./types";

interface Shown {
  /** undefined before hydration; null when this page has no run. */
  readonly run: Run | null | undefined;
  /** An unfinished run of this tab for another purpose. */
  readonly other: Run | null;
  readonly working: boolean;
}

interface RunActs {
  readonly begin: (run: Run) => void;
  /** Continues the run: connects, signs, pays, sends again, or submits the proof. */
  readonly go: (choice?: PayChoice) => void;
  /** Asks the user's own prover for its price; does nothing for other provers. */
  readonly price: () => void;
  /** Goes to the identity provider again, for a paid run whose token is needed again. */
  readonly identify: () => void;
  /** Replaces a challenge that is about to expire while the user reads it. */
  readonly renew: () => void;
  /** Moves the run to another prover, with the inputs it already has. */
  readonly change: (prover: ProverChoice) => void;
  /** Gives the run up and deletes its secrets. */
  readonly cancel: () => void;
}

export type RunControl = Shown & RunActs;

function samePurpose(a: Purpose, b: Purpose): boolean {
  if (a.kind === "join" && b.kind === "join") return a.topicId === b.topicId;
  if (a.kind === "invite" && b.kind === "invite") return a.code === b.code;
  if (a.kind === "relay" && b.kind === "relay") return a.requestId === b.requestId;
  return a.kind === b.kind;
}

/** Whether a run is worth a note on other pages. Every page offers to continue a paid run already. */
function isUnderWay(run: Run): boolean {
  if (run.problem?.final || run.sealed || run.payment) return false;
  return run.subject.kind === "wallet" || run.stage !== "identity";
}

/** Creates the store of this tab's run for one purpose, with the actions that change it. */
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
  /** Returns what a driver needs. After an abort, its events no longer reach the run. */
  const parts = (started: Run, signal: AbortSignal) => ({
    ...{ config, words, signal },
    dispatch: (event: RunEvent) => (signal.aborted ? undefined : dispatch(event)),
    read: () => shown.run ?? started,
  });

  const go = async (choice?: PayChoice) => {
    const started = shown.run;
    if (!started || abort) return;
    const controller = new AbortController();
    abort = controller;
    show({ working: true });
    if (choice) dispatch({ type: "payer-chosen", choice });
    const held = parts(started, controller.signal);
    // Offline, the script may fail to load; the run keeps its state and the button tries again.
    const driver = await import("./driver").catch(() => null);
    if (driver) await driver.drive(held);
    else held.dispatch({ type: "failed", problem: { message: words.t(networkProblem()), final: false } });
    if (abort !== controller) return;
    abort = null;
    show({ working: false });
  };

  const resume = async (run: Run, signal: AbortSignal) => {
    if (goesOnAlone(run, false)) return go();
    if (isOver(run) || run.prover.kind === "browser") return;
    // Without the script, the run waits for the button.
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
    async price() {
      const { run } = shown;
      if (run?.prover.kind !== "own" || abort) return;
      if (run.offers === null) dispatch({ type: "retried" });
      const { origin } = run.prover;
      const offers = await import("./own-prover")
        .then(({ ownOffers }) => ownOffers(origin, circuitOf(run), config))
        .catch(() => null);
      // Meanwhile the run may have been paid, given up or moved to another prover.
      if (shown.run?.prover !== run.prover || abort) return;
      if (offers?.length) dispatch({ type: "priced", offers });
      else
        dispatch({ type: "not-priced", message: words.t(offers ? "prover.noOffer" : "prover.unreachable") });
    },
    change(prover) {
      const before = shown.run;
      if (!before || abort) return;
      dispatch({ type: "prover-changed", prover });
      if (shown.run === before) return;
      keepProverChoice(prover);
      if (mustReload({ prover })) return window.location.reload();
      // A free proof starts without another click.
      if (prover.kind === "browser") void go();
    },
    async renew() {
      const { run } = shown;
      if (!run || abort) return;
      const held = {
        read: () => shown.run ?? run,
        dispatch: (e: RunEvent) => (abort ? undefined : dispatch(e)),
      };
      // A failure shows when the user clicks the button.
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
        const { message } = problems?.problemOf(words, cause, true) ?? { message: words.t(networkProblem()) };
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
    /** Loads this tab's run and continues it where possible. @returns a cleanup for when the page is left */
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

/** Returns this tab's run for one purpose, with its actions. The driver is lazy loaded. */
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
