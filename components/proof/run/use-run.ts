"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { silence } from "@/components/call-api";
import type { PublicConfig, PublicOffer } from "../config";
import { keepProverChoice, mustReload, type ProverChoice } from "../prover-choice";
import { holdRun } from "./kept";
import { backAt, dropRun, loadRun, saveRun } from "./storage";
import {
  hasInputs,
  type PayChoice,
  type Purpose,
  type Run,
  type RunPatch,
  stageAfterInputs,
  withoutSecrets,
} from "./types";

export interface RunControl {
  /** undefined until the browser has looked; null when this page has no run. */
  readonly run: Run | null | undefined;
  /** A run of this tab for something else that is not finished. */
  readonly other: Run | null;
  /** True while the engine is at work. */
  readonly working: boolean;
  /** Starts a run that begins on this page. */
  readonly begin: (run: Run) => void;
  /** Goes on from where the run stands: connects, signs, pays, resends, or hands the proof in. */
  readonly go: (choices?: PayChoice, offers?: readonly PublicOffer[] | null) => void;
  /** Goes to the identity provider once more, for a paid run whose token is needed again. */
  readonly identify: () => void;
  /** Replaces a one-time code that is about to run out while somebody reads it. */
  readonly renew: () => void;
  /** Has another prover make the proof, from what is already here. */
  readonly change: (prover: ProverChoice) => void;
  /** Gives the run up, secrets included. */
  readonly cancel: () => void;
}

function samePurpose(a: Purpose, b: Purpose): boolean {
  if (a.kind === "join" && b.kind === "join") return a.topicId === b.topicId;
  if (a.kind === "invite" && b.kind === "invite") return a.code === b.code;
  if (a.kind === "relay" && b.kind === "relay") return a.requestId === b.requestId;
  return a.kind === b.kind;
}

/**
 * Whether somebody has put anything into a run: a trip to the provider that never came back is nothing. What is paid is
 * offered on every page already.
 */
function isUnderWay(run: Run): boolean {
  if (run.problem?.final || run.sealed || run.payment) return false;
  return run.subject.kind === "wallet" || run.stage !== "identity";
}

/** Whether only a press of a button leads on: a wallet must not open by itself, and a provider is another page. */
function waitsForPerson({ subject }: Run): boolean {
  return subject.kind === "wallet" || subject.token === null;
}

/** The run of this tab for one purpose, and the engine that drives it (loaded when it is needed). */
export function useRun(config: PublicConfig, purpose: Purpose): RunControl {
  const [run, setRun] = useState<Run | null | undefined>(undefined);
  const [other, setOther] = useState<Run | null>(null);
  const [working, setWorking] = useState(false);
  const current = useRef<Run | null>(null);
  const abort = useRef<AbortController | null>(null);
  const words = useWords();

  const patch = useCallback((change: RunPatch) => {
    if (!current.current) return;
    current.current = { ...current.current, ...change };
    saveRun(current.current);
    setRun(current.current);
  }, []);

  const go = useCallback(
    async (choices?: PayChoice, offers?: readonly PublicOffer[] | null) => {
      const started = current.current;
      if (!started || abort.current) return;
      const controller = new AbortController();
      abort.current = controller;
      setWorking(true);
      if (choices) patch(choices);
      if (offers) patch({ offers });
      // Without a network the script may be missing; what was done so far stays, and the button goes on from it.
      const engine = await import("./engine").catch(() => null);
      if (!engine) patch({ problem: { message: words.t(silence()), final: false } });
      await engine?.drive({
        config,
        words,
        signal: controller.signal,
        // A run that was given up, or left for another page, is changed no more by what was still under way.
        patch: (change) => (controller.signal.aborted ? undefined : patch(change)),
        read: () => current.current ?? started,
      });
      if (abort.current === controller) {
        abort.current = null;
        setWorking(false);
      }
    },
    [config, patch, words],
  );

  const begin = useCallback(
    (fresh: Run) => {
      current.current = fresh;
      patch({});
      if (mustReload(fresh)) return window.location.assign(fresh.page);
      void go();
    },
    [go, patch],
  );

  const change = useCallback(
    (prover: ProverChoice) => {
      const shown = current.current;
      if (!shown || abort.current) return;
      keepProverChoice(prover);
      const fresh = { ...shown, prover };
      patch({
        ...{ prover, offers: null, here: null, problem: null },
        ...(hasInputs(shown) ? backAt(fresh, stageAfterInputs(fresh), Date.now()) : {}),
      });
      if (mustReload(fresh)) return window.location.reload();
      // What costs nothing needs no further button.
      if (prover.kind === "browser") void go();
    },
    [go, patch],
  );

  const renew = useCallback(async () => {
    const shown = current.current;
    if (!shown || abort.current) return;
    const { renewChallenge } = await import("./wallet-stages");
    // What fails here is told when the button is pressed.
    await renewChallenge({ patch, read: () => current.current ?? shown }).catch(() => false);
  }, [patch]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the purpose of a page does not change while it stands
  useEffect(() => {
    const stored = loadRun();
    const mine = stored && samePurpose(stored.purpose, purpose) ? stored : null;
    current.current = mine;
    setRun(mine);
    setOther(stored && !mine && isUnderWay(stored) ? stored : null);
    if (!mine) return;
    let gone = false;
    const resume = async () => {
      if (mine.sealed || mine.problem?.final) return;
      if (mine.proof) return go();
      // Free, and chosen already. After a failure somebody has to want it again.
      if (mine.prover.kind === "browser") return hasInputs(mine) && !mine.problem ? go() : undefined;
      const engine = await import("./engine").catch(() => null);
      // Then the button says what is missing.
      if (!engine) return;
      const paid = await engine.hasPaid(mine);
      if (gone) return;
      // What was paid goes on by itself; what was not waits for the person to press the button.
      if (paid && !(mine.inputsNeeded && waitsForPerson(mine))) return go();
      if (paid) return;
      const { tokenProblem } = await import("./token-check");
      const problem = tokenProblem(words, mine, config.scope);
      if (problem && !gone) patch({ problem, subject: withoutSecrets(mine.subject) });
    };
    void resume();
    return () => {
      gone = true;
      abort.current?.abort();
      abort.current = null;
    };
  }, []);

  const id = run?.id;
  useEffect(() => (id === undefined ? undefined : holdRun(id)), [id]);

  const identify = useCallback(async () => {
    const shown = current.current;
    if (!shown || abort.current) return;
    setWorking(true);
    try {
      const { identifyAgain } = await import("./begin");
      window.location.assign(await identifyAgain(shown, config, window.location.origin));
    } catch (cause) {
      const problems = await import("./problems").catch(() => null);
      const told = problems ? problems.problemOf(words, cause, true) : { message: words.t(silence()) };
      patch({ problem: { ...told, final: false } });
      setWorking(false);
    }
  }, [config, patch, words]);

  const cancel = useCallback(() => {
    const given = current.current;
    if (given?.payment) void import("./engine").then(({ giveUp }) => giveUp(given));
    abort.current?.abort();
    abort.current = null;
    current.current = null;
    dropRun();
    setRun(null);
    setWorking(false);
  }, []);

  return { run, other, working, begin, go, identify, renew, change, cancel };
}
