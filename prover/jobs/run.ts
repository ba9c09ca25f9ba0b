import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import type { CircuitId } from "@/lib/proofs/deployment";
import { VerificationUnavailableError } from "@/lib/proofs/errors";
import { addressSchema } from "@/lib/proofs/hex";
import type { JobPayment, ProveResult } from "@/lib/proofs/wire";
import { networkSchema } from "@/lib/proofs/wire";
import type { Prepared } from "../circuits/types";
import type { Observer } from "../observer";
import type { Settlement } from "../payment/settlement";
import { ProverRefusal, refusals } from "../refusal";
import { type PaymentRow, type PaymentStore, type StoredProof, storedProof } from "../store/payments";
import type { Finished, Job } from "./job";
import { paymentRefusal, voidRefusal } from "./refusals";
import type { Slot, Slots } from "./slots";
import type { RunTimes } from "./times";

/** A finished proof that has not been checked yet. */
interface RawProof {
  proof: Hex;
  publicInputs: Hex[];
}

/** The part of the prover that makes and checks proofs. */
export interface ProofMaker {
  /** @throws InterruptedError when the prover shuts down, any other error when the proof failed */
  prove(circuit: CircuitId, witness: Uint8Array): Promise<RawProof>;
  /**
   * Asks the circuit's configured verifier contract.
   * @throws VerificationUnavailableError when the chain is unreachable
   */
  check(circuit: CircuitId, proof: RawProof): Promise<boolean>;
}

/** The prover is shutting down: the proof is neither made nor failed. */
export class InterruptedError extends Error {
  override name = "InterruptedError";
}

/**
 * Called after each step that must survive a crash. Does nothing; crash tests end the process in it.
 * accepted: the payment is stored · settled · queued · proving: a proof was started · done: the proof is stored
 */
export type Checkpoint = (step: string) => Promise<void>;

/**
 * Lets a job wait for a worker, which then does its work.
 * @returns undefined when a worker of another process took the job
 * @throws InterruptedError when this process shuts down first
 */
type OnWorker = (make: () => Promise<Finished>) => Promise<Finished | undefined>;

export interface RunDependencies {
  payments: PaymentStore;
  times: RunTimes;
  maker: ProofMaker;
  /** Slots of settled payments whose proofs are still to be made. */
  proving: Pick<Slots, "take">;
  /** Builds the result a client gets from a proven payment. */
  present(row: PaymentRow, stored: StoredProof, jobToken: string): ProveResult;
  /** Tells the operator how a job ended, and the underlying error of a failed one. */
  report(job: Job, end: Finished, cause?: unknown): void;
  observer: Observer;
  checkpoint: Checkpoint;
  /** Milliseconds before a proof is checked again after its chain was unreachable; multiplied by the attempt. */
  checkPauseMs: number;
}

/** The data a proof is made from, and the time spent on it so far. */
export interface Work {
  row: PaymentRow;
  /** Settles the payment, while it is not known to be settled. May be repeated; does not throw. */
  settle(row: PaymentRow): Promise<Settlement>;
  /** Its slot among the payments being settled; absent when it is settled. */
  slot?: Slot;
  prepared: Prepared;
  /** Milliseconds since 1970 of the paid request. */
  startedAt: number;
  witnessMs: number;
  paymentMs: number;
}

/** How a run ended: as the job did, or another process has the job now. */
export type RunEnd = Finished | { status: "passed-on" };

/**
 * Settles, proves, checks and stores. Every step is durable before the next starts; a step that an earlier run did is
 * skipped. Never throws.
 * @param onWorker gets the job a worker
 */
export async function runJob(
  deps: RunDependencies,
  job: Job,
  work: Work,
  onWorker: OnWorker,
): Promise<RunEnd> {
  let cause: unknown;
  const failed = async (error: unknown, payment?: JobPayment): Promise<Finished> => {
    cause = error;
    const refusal = error instanceof ProverRefusal ? error : await failure(deps, job, error);
    return { status: "failed", refusal, payment };
  };
  const end = await attempt(deps, job, work, onWorker, failed);
  if (end.status !== "passed-on") {
    deps.observer.ended(job.circuit, end.status);
    deps.report(job, end, cause);
  }
  return end;
}

async function attempt(
  deps: RunDependencies,
  job: Job,
  work: Work,
  onWorker: OnWorker,
  failed: (error: unknown, payment?: JobPayment) => Promise<Finished>,
): Promise<RunEnd> {
  let payment: JobPayment | undefined;
  let place: Slot | undefined;
  try {
    const begun = performance.now();
    const row = await settle(deps, job, work);
    work.paymentMs += performance.now() - begun;
    // The payment is settled: it gets a slot however full the queue is.
    place = deps.proving.take();
    work.slot?.release();
    payment = jobPayment(row);
    job.paid(payment);
    await deps.checkpoint("settled");
    const queuedAt = performance.now();
    const end = await onWorker(async () => {
      deps.observer.stage(job.circuit, "queued", performance.now() - queuedAt);
      try {
        return await keep(deps, job, await make(deps, job, work));
      } catch (error) {
        return await failed(error, payment);
      }
    });
    return end ?? { status: "passed-on" };
  } catch (error) {
    return await failed(error, payment);
  } finally {
    work.slot?.release();
    place?.release();
    // The witness holds the identity token.
    work.prepared.witness.fill(0);
  }
}

async function settle({ payments, observer }: RunDependencies, job: Job, work: Work): Promise<PaymentRow> {
  if (work.row.state !== "accepted" && work.row.state !== "settling") return work.row;
  job.step("settling");
  const begun = performance.now();
  const started = await payments.apply(job.paymentId, { type: "settlement-started" });
  // The state before this attempt: "settling" tells the settler that an earlier attempt may have succeeded.
  const result = await work.settle({ ...started, state: work.row.state });
  observer.stage(job.circuit, "settling", performance.now() - begun);
  if (result.status === "unconfirmed") throw refusals.unconfirmed();
  if (result.status === "refused") throw paymentRefusal(result.reason);
  const row = await payments.settle(job.paymentId, result);
  // Also void when its transfer has bought another proof.
  if (row.state === "void") throw voidRefusal(result.status === "void" ? result.reason : "already_used");
  observer.settled(row.settlement, row.network);
  return row;
}

async function make(deps: RunDependencies, job: Job, work: Work): Promise<StoredProof> {
  const { times, maker, observer } = deps;
  job.step("proving", { expectedMs: times.expected(job.circuit) });
  await deps.checkpoint("proving");
  const started = performance.now();
  const proof = await maker.prove(job.circuit, work.prepared.witness);
  const proveMs = performance.now() - started;
  times.record(job.circuit, proveMs);
  observer.stage(job.circuit, "proving", proveMs);
  job.step("checking");
  const checkingFrom = performance.now();
  const expected = work.prepared.publicInputs;
  const asAsked =
    proof.publicInputs.length === expected.length &&
    proof.publicInputs.every((word, i) => word === expected[i]);
  if (!asAsked || !(await checkPatiently(deps, job.circuit, proof))) {
    throw new Error("the verifier refused the proof");
  }
  observer.stage(job.circuit, "checking", performance.now() - checkingFrom);
  const timing = {
    totalMs: Math.max(0, Math.round(Date.now() - work.startedAt)),
    paymentMs: Math.round(work.paymentMs),
    witnessMs: Math.round(work.witnessMs),
    proveMs: Math.round(proveMs),
  };
  return { ...proof, timing };
}

async function keep(deps: RunDependencies, job: Job, made: StoredProof): Promise<Finished> {
  const row = await deps.payments.deliver(job.paymentId, made);
  await deps.checkpoint("done");
  const stored = storedProof(row);
  if (!stored) throw new Error("a delivered proof is not in its row");
  return { status: "done", result: deps.present(row, stored, job.token), payment: jobPayment(row) };
}

/** Checks a proof; a chain that is briefly unreachable must not cost a finished proof. */
async function checkPatiently(
  { maker, checkPauseMs }: RunDependencies,
  circuit: CircuitId,
  proof: RawProof,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await maker.check(circuit, proof);
    } catch (error) {
      if (!(error instanceof VerificationUnavailableError)) throw error;
      if (attempt === 4) {
        throw refusals.unavailable(
          "verification_unavailable",
          "the proof could not be checked on chain; send the same payment again, it is not charged twice",
        );
      }
      await sleep(attempt * checkPauseMs);
    }
  }
}

/** Records the failed proof of a settled payment; any other payment stays as it is. */
async function failure({ payments }: RunDependencies, job: Job, error: unknown): Promise<ProverRefusal> {
  if (error instanceof InterruptedError) return refusals.interrupted();
  try {
    const row = await payments.apply(job.paymentId, { type: "proof-failed" });
    return refusals.proveFailed(row.state === "credited");
  } catch {
    return refusals.interrupted();
  }
}

/** Returns whether the job ended without an outcome: its process stopped, or could not record one. */
export function wasInterrupted(end: Finished): boolean {
  return end.status === "failed" && end.refusal.details.reason === "interrupted";
}

/** Returns a settled payment as a job and PAYMENT-RESPONSE show it. */
export function jobPayment(row: PaymentRow): JobPayment {
  return {
    network: networkSchema.parse(row.network),
    transaction: row.tx_hash ?? "",
    payer: addressSchema.parse(row.payer),
    amount: row.amount,
  };
}
