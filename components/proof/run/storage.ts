import { serverProver } from "../prover-choice";
import { reduce } from "./machine";
import { type Run, stages, withoutSecrets } from "./types";

const RUN_KEY = "parley.run";

/** Returns this tab's run. Secrets may only be in sessionStorage, which ends with the tab, and only until the proof exists. */
export function loadRun(): Run | null {
  return parse(sessionStorage.getItem(RUN_KEY))[0] ?? null;
}

/** Stores a run for this tab and, once it is paid, the part that may outlive the tab. */
export function saveRun(run: Run): void {
  sessionStorage.setItem(RUN_KEY, JSON.stringify(run));
  keepPaid(run);
}

/** Deletes this tab's run with its secrets. */
export function dropRun(): void {
  const run = loadRun();
  if (run) dropPaid(run.id);
  sessionStorage.removeItem(RUN_KEY);
}

/** Prefix of paid runs: each has its own entry, so that two tabs do not overwrite each other. */
const PAID_PREFIX = "parley.paid-run.1.";

/** Returns localStorage, or null when the browser blocks it; then there is no payment either. */
function storage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** Whether a paid run can continue: a petition until the contract has its proof, any other run until it is sealed. */
function isOpen({ payment, sealed, problem, purpose }: Run): boolean {
  return payment !== null && !problem?.final && (sealed === null || purpose.kind === "petition");
}

/**
 * Returns the part of a paid run that may outlive its tab; null when there is nothing to continue. It has no identity token,
 * wallet signature, attestation, attested address or proof. The paying client's store has the payment and the prover's job,
 * under the run's id.
 */
export function keptRun(run: Run): Run | null {
  if (!isOpen(run)) return null;
  const rest = withoutSecrets(run.subject);
  const subject = rest.kind === "wallet" ? { ...rest, holder: null } : rest;
  // A restored run first asks the prover whether it needs the inputs again.
  const kept = { ...run, subject, problem: null, inputsNeeded: false };
  // Without its proof it is no longer sealed.
  return run.proof || run.sealed
    ? { ...kept, work: null, proof: null, sealed: null, stage: "checking" }
    : kept;
}

/** Stores the part of a run that may outlive its tab, or deletes it when there is nothing to continue. */
export function keepPaid(run: Run): void {
  const kept = keptRun(run);
  if (!kept) dropPaid(run.id);
  try {
    if (kept) storage()?.setItem(PAID_PREFIX + run.id, JSON.stringify(kept));
  } catch {
    // With full storage only other tabs cannot continue the run.
  }
}

/** Deletes a paid run from storage; the paying client owns its payment. */
export function dropPaid(id: string): void {
  storage()?.removeItem(PAID_PREFIX + id);
}

/** Returns the stored paid runs, youngest first. */
export function paidRuns(): readonly Run[] {
  const entries = storage();
  if (!entries) return [];
  return Array.from({ length: entries.length }, (_, i) => entries.key(i))
    .filter((key) => key?.startsWith(PAID_PREFIX))
    .flatMap((key) => parse(entries.getItem(key ?? "")))
    .sort((a, b) => startOf(b) - startOf(a));
}

const startOf = (run: Run) => run.times.identity?.start ?? 0;

function parse(text: string | null): readonly Run[] {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return isRun(value) ? [completeRun(value)] : [];
  } catch {
    return [];
  }
}

/** Checks only the outline: nothing but this app writes these entries. */
function isRun(value: unknown): value is Run {
  return (
    typeof value === "object" &&
    value !== null &&
    ["id", "purpose", "subject", "times"].every((field) => field in value) &&
    "stage" in value &&
    stages.some((stage) => stage === value.stage)
  );
}

/** Adds the fields that runs of earlier versions lack. Work in progress ended with its page. */
function completeRun(run: Run): Run {
  const { prover = serverProver, offers = null } = run;
  return { ...run, prover, offers, work: null };
}

/** Whether the challenge has expired. A country proof is valid for any challenge, and an action's proof has none. */
export function isTooLate({ challenge, subject }: Run, now: number): boolean {
  const answers =
    subject.kind === "domain" ||
    (subject.circuit !== "partner_country_attestation" && subject.action === null);
  return answers && challenge !== null && challenge.expiresAt <= now;
}

const lockOf = (id: string) => `parley.run.${id}`;

/** Tells other tabs that this one shows the run. @returns stop */
export function holdRun(id: string): () => void {
  const locks = globalThis.navigator?.locks;
  if (!locks) return () => {};
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The request waits for another tab's lock. A lock that is no longer wanted ends at once.
  locks.request(lockOf(id), () => held).catch(() => {});
  return release;
}

/** Returns the ids of the runs that a tab shows now. */
export async function shownElsewhere(runs: readonly Run[]): Promise<ReadonlySet<string>> {
  const state = await globalThis.navigator?.locks?.query();
  const held = new Set(state?.held?.map(({ name }) => name));
  return new Set(runs.map(({ id }) => id).filter((id) => held.has(lockOf(id))));
}

export type CallbackOutcome =
  | { readonly kind: "go"; readonly page: string }
  /** The provider refused or the user canceled. */
  | { readonly kind: "denied"; readonly page: string }
  /** No run of this tab waits for this response. */
  | { readonly kind: "lost" };

/** Receives the provider's response for this tab's run. @param fragment `location.hash` on arrival */
export function receiveAnswer(fragment: string): CallbackOutcome {
  const answer = new URLSearchParams(fragment.replace(/^#/, ""));
  const run = loadRun();
  if (run?.subject.kind !== "domain" || answer.get("state") !== run.subject.state) return { kind: "lost" };
  const token = answer.get("id_token");
  // A token does not change a run that waits for none.
  const received = reduce(run, { type: "token-received", token: token ?? "" }, Date.now());
  if (received === run) return { kind: "lost" };
  if (!token) return { kind: "denied", page: run.page };
  saveRun(received);
  return { kind: "go", page: run.page };
}
