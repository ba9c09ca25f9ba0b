import { serverProver } from "../prover-choice";
import { reduce } from "./machine";
import { type Run, stages, withoutSecrets } from "./types";

const KEY = "parley.run";

/**
 * The run of this tab. sessionStorage is as far as an identity token or a wallet's signature may go on this device:
 * it ends with the tab, and both are taken out as soon as the proof exists.
 */
export function loadRun(): Run | null {
  return parse(sessionStorage.getItem(KEY))[0] ?? null;
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

/** Of paid runs; one entry per run, so that two tabs never overwrite each other's. */
const PREFIX = "parley.paid-run.1.";

/** localStorage, or null where the browser refuses it; then there is no payment either. */
function storage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** A petition is over when the contract has it, every other run when it is sealed. */
function isOpen({ payment, sealed, problem, purpose }: Run): boolean {
  return payment !== null && !problem?.final && (sealed === null || purpose.kind === "petition");
}

/**
 * What outlives the tab of a paid run, so that what is paid is found again; null when there is nothing to go on with. It
 * has no identity token, wallet signature, attestation, attested address or proof; the payment itself, with the prover's
 * job, is in the paying client's store under the run's id.
 */
export function keptRun(run: Run): Run | null {
  if (!isOpen(run)) return null;
  const rest = withoutSecrets(run.subject);
  const subject = rest.kind === "wallet" ? { ...rest, holder: null } : rest;
  // Whoever finds it asks the prover first whether it needs the inputs again.
  const kept = { ...run, subject, problem: null, inputsNeeded: false };
  // Without its proof it is no longer sealed.
  return run.proof || run.sealed
    ? { ...kept, work: null, proof: null, sealed: null, stage: "checking" }
    : kept;
}

/** Keeps what may outlive the run's tab, or forgets it when there is nothing to go on with. */
export function keepPaid(run: Run): void {
  const kept = keptRun(run);
  if (!kept) dropPaid(run.id);
  try {
    if (kept) storage()?.setItem(PREFIX + run.id, JSON.stringify(kept));
  } catch {
    // Full storage costs the offer to go on, not the run: this tab has it all.
  }
}

/** Forgets a kept run; its payment is the paying client's. */
export function dropPaid(id: string): void {
  storage()?.removeItem(PREFIX + id);
}

/** The kept runs, the youngest first. */
export function paidRuns(): readonly Run[] {
  const entries = storage();
  if (!entries) return [];
  return Array.from({ length: entries.length }, (_, i) => entries.key(i))
    .filter((key) => key?.startsWith(PREFIX))
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

/** Only this app writes these entries, so their outline is enough to know them by. */
function isRun(value: unknown): value is Run {
  return (
    typeof value === "object" &&
    value !== null &&
    ["id", "purpose", "subject", "times"].every((field) => field in value) &&
    "stage" in value &&
    stages.some((stage) => stage === value.stage)
  );
}

/** A run of today from one that an earlier version kept. What was under way ended with the page. */
function completeRun(run: Run): Run {
  const { prover = serverProver, offers = null } = run;
  return { ...run, prover, offers, work: null };
}

/**
 * Whether the one-time code that the proof answers has run out, so that our server takes it no more. A country proof
 * answers any open code, and an action none.
 */
export function isTooLate({ challenge, subject }: Run, now: number): boolean {
  const answers =
    subject.kind === "domain" ||
    (subject.circuit !== "partner_country_attestation" && subject.action === null);
  return answers && challenge !== null && challenge.expiresAt <= now;
}

const lockOf = (id: string) => `parley.run.${id}`;

/** Tells other tabs that this one shows the run. @returns the end of that */
export function holdRun(id: string): () => void {
  const locks = globalThis.navigator?.locks;
  if (!locks) return () => {};
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // A lock that another tab has is waited for; one that is not wanted any more ends at once.
  locks.request(lockOf(id), () => held).catch(() => {});
  return release;
}

/** Ids among these that another tab shows now. */
export async function shownElsewhere(runs: readonly Run[]): Promise<ReadonlySet<string>> {
  const state = await globalThis.navigator?.locks?.query();
  const held = new Set(state?.held?.map(({ name }) => name));
  return new Set(runs.map(({ id }) => id).filter((id) => held.has(lockOf(id))));
}

export type CallbackOutcome =
  | { readonly kind: "go"; readonly page: string }
  /** The provider refused or the person cancelled. */
  | { readonly kind: "denied"; readonly page: string }
  /** No run of this tab asked for this answer. */
  | { readonly kind: "lost" };

/**
 * Takes the provider's answer out of a fragment and into the run of this tab.
 * @param fragment location.hash as it was on arrival, with or without its #.
 */
export function receiveAnswer(fragment: string): CallbackOutcome {
  const answer = new URLSearchParams(fragment.replace(/^#/, ""));
  const run = loadRun();
  if (run?.subject.kind !== "domain" || answer.get("state") !== run.subject.state) return { kind: "lost" };
  const token = answer.get("id_token");
  // A run that waits for no token is not changed by one.
  const received = reduce(run, { type: "token-received", token: token ?? "" }, Date.now());
  if (received === run) return { kind: "lost" };
  if (!token) return { kind: "denied", page: run.page };
  saveRun(received);
  return { kind: "go", page: run.page };
}
