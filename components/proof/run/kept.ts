import { serverProver } from "../prover-choice";
import { type Run, stages, withoutSecrets } from "./types";

/**
 * Runs that paid, kept beyond their tab until they are sealed: what is paid must be found again when the tab was closed.
 * No identity token, wallet signature, attestation, attested address or proof is among it; the payment itself, with the
 * prover's job, lies in the paying client's store under the run's id.
 */

/** One entry per run, so that two tabs never write over each other's. A changed shape gets a new number. */
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

/** Keeps a run as far as it may outlive its tab, or forgets it when there is nothing left to go on with. */
export function keepPaid(run: Run): void {
  if (!isOpen(run)) {
    dropPaid(run.id);
    return;
  }
  const subject = withoutSecrets(run.subject);
  const kept: Run = {
    ...run,
    subject: subject.kind === "wallet" ? { ...subject, holder: null } : subject,
    proof: null,
    sealed: null,
    problem: null,
    // Without its proof it is not sealed any more.
    stage: run.stage === "sealed" ? "checking" : run.stage,
  };
  try {
    storage()?.setItem(PREFIX + run.id, JSON.stringify(kept));
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
export function isRun(value: unknown): value is Run {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    "purpose" in value &&
    "subject" in value &&
    "times" in value &&
    "stage" in value &&
    stages.some((stage) => stage === value.stage)
  );
}

/** A run as it is now, from one that was kept before provers could be chosen. */
export function completeRun(run: Run): Run {
  return { ...run, prover: run.prover ?? serverProver, offers: run.offers ?? null, here: null };
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
