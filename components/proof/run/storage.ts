import { completeRun, dropPaid, isRun, keepPaid } from "./kept";
import type { Run, RunPatch, Stage } from "./types";
import { stages, stagesOf } from "./types";

const KEY = "parley.run";

/**
 * The run of this tab. sessionStorage is as far as an identity token or a wallet's signature may go on this device:
 * it ends with the tab, and both are taken out as soon as the proof exists.
 */
export function loadRun(): Run | null {
  const text = sessionStorage.getItem(KEY);
  if (!text) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRun(value) ? completeRun(value) : null;
  } catch {
    return null;
  }
}

/** Keeps a run for this tab; once it has paid, also what may outlive the tab. */
export function saveRun(run: Run): void {
  sessionStorage.setItem(KEY, JSON.stringify(run));
  keepPaid(run);
}

/** Forgets the run, its secrets included. */
export function dropRun(): void {
  const run = loadRun();
  if (run) dropPaid(run.id);
  sessionStorage.removeItem(KEY);
}

/** The run moved to a stage: earlier ones end now, this one starts unless it had. This never moves it back. */
export function atStage(run: Run, stage: Stage, now: number): RunPatch {
  const target = stages.indexOf(stage);
  if (target < stages.indexOf(run.stage)) return {};
  const times = { ...run.times };
  for (const earlier of stagesOf(run)) {
    if (stages.indexOf(earlier) >= target) break;
    const time = times[earlier] ?? { start: now };
    if (time.end === undefined) times[earlier] = { ...time, end: now };
  }
  times[stage] = times[stage] ?? { start: now };
  if (stage === "sealed") times.sealed = { start: now, end: now };
  return { stage, times };
}

/** The run has to do an earlier stage again, before anything was paid: what was measured from there on is void. */
export function backAt(run: Run, stage: Stage, now: number): RunPatch {
  const target = stages.indexOf(stage);
  const times = { ...run.times };
  for (const later of stages.slice(target)) delete times[later];
  return { stage, times: { ...times, [stage]: { start: now } } };
}
