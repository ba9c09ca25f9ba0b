import type { Address, Hex } from "viem";
import type { Action } from "@/lib/proofs/attestation/action";
import type { FoundAttestation } from "@/lib/proofs/attestation/find";
import type { ProofProgress } from "@/lib/proofs/client";
import type { ProvingProgress } from "../browser/driver";
import type { PublicOffer } from "../config";
import type { ProverChoice } from "../prover-choice";
import {
  hasInputs,
  type PayChoice,
  type Run,
  type RunChallenge,
  type RunProblem,
  type RunProof,
  type Sealed,
  type Stage,
  type StageTimes,
  stageAfterInputs,
  stages,
  stagesOf,
  type WorkStage,
  withoutSecrets,
  workStages,
} from "./types";

/**
 * What happened to a run. The state machine below is pure: the driver (driver.ts) performs the step that `nextStep` names
 * and dispatches what came of it. Nothing else changes a run.
 *
 *     identity ──► sign ──► price ──► payment ──► witness ──► proving ──► checking ──► sealed
 *        │          │         ▲          │           ▲
 *        │          └─► prepare ─────────┼───────────┘
 *        └──► (a provider's run skips sign; a run in this browser has prepare instead of price and payment)
 *
 * A problem stops a run in its stage. "retried" clears it unless it is final, which ends the run. A signed payment leaves the
 * run only when it expired unused, or when the run ends.
 */
export type RunEvent =
  /** The user tries again after a problem. */
  | { readonly type: "retried" }
  | { readonly type: "payer-chosen"; readonly choice: PayChoice }
  /** The user's own prover named its prices. */
  | { readonly type: "priced"; readonly offers: readonly PublicOffer[] }
  /** The user's own prover named no price that a wallet can pay here. */
  | { readonly type: "not-priced"; readonly message: string }
  | { readonly type: "prover-changed"; readonly prover: ProverChoice }
  /** Our server issued a new challenge. */
  | { readonly type: "challenged"; readonly challenge: RunChallenge }
  /** The user of a paid run goes to the provider again, because the token was lost. */
  | { readonly type: "identity-asked"; readonly challenge: RunChallenge; readonly state: string }
  | { readonly type: "token-received"; readonly token: string }
  | { readonly type: "wallet-connected"; readonly holder: Address }
  | {
      readonly type: "attestation-found";
      readonly attestation: FoundAttestation;
      readonly action: Action | null;
      readonly challenge: RunChallenge | null;
    }
  | { readonly type: "signed"; readonly signature: Hex }
  /** The signed challenge expires too soon; the new one has to be signed. */
  | { readonly type: "signature-expired"; readonly challenge: RunChallenge; readonly message: string }
  /** The prover of a paid run needs the inputs again, which this device no longer has. */
  | { readonly type: "inputs-lost" }
  /** A paid run got new inputs that cannot be proven. */
  | { readonly type: "inputs-refused"; readonly message: string }
  | { readonly type: "preparing" }
  | { readonly type: "paying" }
  /** The paying client reported progress. */
  | { readonly type: "bought"; readonly progress: ProofProgress }
  /** The worker in this browser reported progress. */
  | { readonly type: "worked"; readonly progress: ProvingProgress }
  | { readonly type: "payer-refused"; readonly message: string }
  /** The payment expired unused: nothing was or will be charged. */
  | { readonly type: "payment-expired"; readonly message: string }
  /** `domain` is the one that the proof discloses; null for a wallet's proof. */
  | { readonly type: "proof-made"; readonly proof: RunProof; readonly domain: string | null }
  | { readonly type: "accepted"; readonly sealed: Sealed }
  | { readonly type: "failed"; readonly problem: RunProblem };

/** Returns the run after an event. An event that does not fit its state, such as a second click, returns the same object. */
export function reduce(run: Run, event: RunEvent, now: number): Run {
  if (run.stage === "sealed" || run.problem?.final) return run;
  const { subject, stage, payment } = run;
  const again = (message: string): RunProblem => ({ message, final: false });
  switch (event.type) {
    case "retried":
      return run.problem ? { ...run, problem: null } : run;
    case "payer-chosen": {
      const { walletId, network } = event.choice;
      return payment ? run : { ...run, walletId, network };
    }
    case "priced":
    case "not-priced":
      if (payment || stage !== "price" || run.prover.kind !== "own") return run;
      return event.type === "priced"
        ? { ...run, offers: event.offers }
        : { ...run, offers: null, problem: again(event.message) };
    case "prover-changed": {
      if (payment || run.stage === "checking") return run;
      const changed = { ...run, prover: event.prover, offers: null, problem: null };
      if (hasInputs(run)) return backTo(changed, stageAfterInputs(changed), now);
      return stage === "identity" || stage === "sign" ? changed : run;
    }
    case "challenged":
      return { ...run, challenge: event.challenge };
    case "identity-asked": {
      if (subject.kind !== "domain" || stage !== "identity" || !run.inputsNeeded) return run;
      const asked = { ...subject, state: event.state, token: null };
      return backTo({ ...run, problem: null, challenge: event.challenge, subject: asked }, "identity", now);
    }
    case "token-received":
      if (subject.kind !== "domain" || stage !== "identity" || subject.token) return run;
      return advance({ ...run, subject: { ...subject, token: event.token } }, stageAfterInputs(run), now);
    case "wallet-connected":
      if (subject.kind !== "wallet" || stage !== "identity") return run;
      return { ...run, subject: { ...subject, holder: event.holder } };
    case "attestation-found": {
      if (subject.kind !== "wallet" || stage !== "identity" || !subject.holder) return run;
      const { attestation, action, challenge } = event;
      return advance({ ...run, challenge, subject: { ...subject, attestation, action } }, "sign", now);
    }
    case "signed": {
      if (subject.kind !== "wallet" || stage !== "sign") return run;
      const signed = { ...run, subject: { ...subject, signature: event.signature } };
      return advance(signed, stageAfterInputs(run), now);
    }
    case "signature-expired": {
      if (subject.kind !== "wallet" || !hasInputs(run) || payment || run.proof) return run;
      const { challenge, message } = event;
      const unsigned = { ...run, challenge, subject: { ...subject, signature: null } };
      return { ...backTo(unsigned, "sign", now), problem: again(message) };
    }
    case "inputs-lost":
      if (!payment || run.proof || run.inputsNeeded || hasInputs(run)) return run;
      // Partial inputs are requested again too.
      return { ...backTo({ ...run, subject: withoutSecrets(subject) }, "identity", now), inputsNeeded: true };
    case "inputs-refused": {
      if (!run.inputsNeeded || !hasInputs(run)) return run;
      const without = { ...run, subject: withoutSecrets(subject) };
      return { ...backTo(without, "identity", now), problem: again(event.message) };
    }
    case "preparing":
      return run.prover.kind === "browser" && hasInputs(run) ? advance(run, "prepare", now) : run;
    case "paying":
      return run.prover.kind !== "browser" && hasInputs(run) ? advance(run, "payment", now) : run;
    case "bought":
      if (run.prover.kind === "browser" || run.proof || (run.inputsNeeded && !hasInputs(run))) return run;
      return bought(run, event.progress, now);
    case "worked":
      return run.prover.kind === "browser" && hasInputs(run) ? worked(run, event.progress, now) : run;
    case "payer-refused":
      if (payment || stage !== "payment") return run;
      return { ...backTo(run, "price", now), problem: again(event.message) };
    case "payment-expired": {
      if (!payment || run.proof) return run;
      const problem = { message: event.message, final: !hasInputs(run) };
      const unpaid: Run = { ...run, payment: null, inputsNeeded: false };
      return stopped(backTo(unpaid, "price", now), problem);
    }
    case "proof-made": {
      if (run.proof || !(payment || hasInputs(run))) return run;
      const rest = withoutSecrets(subject);
      const about = rest.kind === "domain" ? { ...rest, domain: event.domain } : rest;
      const made = { ...run, subject: about, inputsNeeded: false, times: timesAt(run, "checking", now) };
      return { ...made, work: null, proof: event.proof, sealed: null, stage: "checking" };
    }
    case "accepted": {
      if (!run.proof) return run;
      const proof = run.purpose.kind === "petition" ? run.proof : null;
      const times = { ...timesAt(run, "sealed", now), sealed: { start: now, end: now } };
      return { ...run, problem: null, times, work: null, proof, sealed: event.sealed, stage: "sealed" };
    }
    case "failed":
      return stopped(run, event.problem);
  }
}

function stopped(run: Run, problem: RunProblem): Run {
  return { ...run, problem, subject: problem.final ? withoutSecrets(run.subject) : run.subject };
}

/** What the driver can do for a run. */
export type Step = "identify" | "sign" | "resume" | "buy" | "prove-here" | "hand-in";

/** Returns the next step of a run; null once it ended or stopped, and while it waits for an identity provider. */
export function nextStep(run: Run, isPaid: boolean): Step | null {
  const { subject, prover } = run;
  if (isOver(run) || run.problem) return null;
  if (run.proof) return "hand-in";
  if (hasInputs(run)) return prover.kind === "browser" ? "prove-here" : "buy";
  if (isPaid && !run.inputsNeeded) return "resume";
  if (subject.kind === "domain") return null;
  return subject.attestation ? "sign" : "identify";
}

/** Whether a step needs a click because it opens a wallet. */
export function needsPress(step: Step, isPaid: boolean): boolean {
  return step === "identify" || step === "sign" || (step === "buy" && !isPaid);
}

/** Whether a run continues by itself when a page loads it, because its next step is free or already paid. */
export function goesOnAlone(run: Run, isPaid: boolean): boolean {
  if (isOver(run)) return false;
  if (run.proof) return true;
  // After a problem the user decides whether to try again.
  if (run.prover.kind === "browser") return hasInputs(run) && !run.problem;
  // A wallet must not open by itself, and the provider has its own page.
  return isPaid && !(run.inputsNeeded && (run.subject.kind === "wallet" || !hasInputs(run)));
}

/** Whether a run has ended. */
export function isOver({ sealed, problem }: Run): boolean {
  return sealed !== null || problem?.final === true;
}

/** Moves a run forward: earlier stages end now. A late event does not move it back. */
function advance(run: Run, stage: OpenStage, now: number): Run {
  const isAhead = stages.indexOf(stage) > stages.indexOf(run.stage);
  return isAhead ? inStage(run, stage, timesAt(run, stage, now)) : run;
}

/** Moves a run back to a stage that must be done again, and deletes the times measured since. */
function backTo(run: Run, stage: OpenStage, now: number): Run {
  const times = { ...run.times };
  for (const later of stages.slice(stages.indexOf(stage))) delete times[later];
  return inStage(run, stage, { ...times, [stage]: { start: now } });
}

type OpenStage = Exclude<Stage, "sealed">;

function inStage(run: Run, stage: OpenStage, times: StageTimes): Run {
  const moved = { ...run, times, sealed: null };
  if (stage === "checking") return { ...moved, work: null, stage };
  return isWorkStage(stage) ? { ...moved, proof: null, stage } : { ...moved, work: null, proof: null, stage };
}

function isWorkStage(stage: Stage): stage is WorkStage {
  return workStages.some((one) => one === stage);
}

function timesAt(run: Run, stage: Stage, now: number): StageTimes {
  const times = { ...run.times };
  const order = stagesOf(run);
  for (const earlier of order.slice(0, order.indexOf(stage))) {
    const time = times[earlier] ?? { start: now };
    times[earlier] = { ...time, end: time.end ?? now };
  }
  return { ...times, [stage]: times[stage] ?? { start: now } };
}

function isWorking(run: Run): run is Extract<Run, { readonly stage: WorkStage }> {
  return isWorkStage(run.stage);
}

/** Applies the paying client's progress. */
function bought(run: Run, progress: ProofProgress, now: number): Run {
  if (!run.payment && progress.stage !== "payment" && progress.stage !== "settled") return run;
  switch (progress.stage) {
    case "payment": {
      const { network, amount, payer } = progress;
      const at = advance(run, "payment", now);
      // Sending a payment again does not change it.
      return run.payment ? at : { ...at, payment: { network, amount, payer } };
    }
    case "settled": {
      const { network, amount, payer, transaction } = progress;
      return { ...advance(run, "witness", now), payment: { network, amount, payer, transaction } };
    }
    case "queued":
      if (!isWorking(run)) return run;
      return { ...run, work: { at: "queue", position: progress.position, expectedMs: progress.expectedMs } };
    case "witness": {
      const idle = isWorking(run) ? { ...run, work: null } : run;
      // The prover solves the witness before it settles; the payment stage ends with the settlement.
      return run.payment?.transaction ? advance(idle, "witness", now) : idle;
    }
    case "proving": {
      const at = advance(run, "proving", now);
      return isWorking(at) ? { ...at, work: { at: "prover", expectedMs: progress.expectedMs } } : at;
    }
    case "checking":
    case "done":
      return advance(run, "checking", now);
    case "price":
    case "settling":
    case "retrying":
      return run;
  }
}

const stageOfWork = {
  loading: "prepare",
  points: "prepare",
  witness: "witness",
  key: "proving",
  proving: "proving",
} as const satisfies Record<ProvingProgress["stage"], Stage>;

/** Applies the worker's progress. */
function worked(run: Run, progress: ProvingProgress, now: number): Run {
  const at = advance(run, stageOfWork[progress.stage], now);
  const isKeyMade = progress.stage === "key" || (run.work?.at === "browser" && run.work.isKeyMade);
  return isWorking(at) ? { ...at, work: { at: "browser", progress, isKeyMade } } : at;
}
