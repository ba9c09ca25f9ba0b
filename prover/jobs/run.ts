import type { Hex } from "viem";
import type { CircuitId } from "@/lib/proofs/deployment";
import { VerificationUnavailableError } from "@/lib/proofs/errors";
import { addressSchema } from "@/lib/proofs/hex";
import type { JobPayment, ProveResult } from "@/lib/proofs/wire";
import { networkSchema } from "@/lib/proofs/wire";
import type { Prepared } from "../circuits/types";
import type { Payment } from "../payment/payment";
import type { Settler } from "../payment/settler";
import { Refusal, refusals } from "../refusal";
import { type PaymentRow, type Payments, type StoredProof, storedProof } from "../store/payments";
import type { Finished, Job } from "./job";
import type { ProofQueue, RunTimes } from "./queue";

/** A finished proof that was not checked yet. */
export interface RawProof {
  proof: Hex;
  publicInputs: Hex[];
}

/** What making a proof needs from the rest of the prover. */
export interface ProofMaker {
  /** @throws InterruptedError when the prover shuts down, any other error when the proof failed */
  prove(circuit: CircuitId, witness: Uint8Array): Promise<RawProof>;
  /**
   * Asks the circuit's configured verifier contract.
   * @throws VerificationUnavailableError when it cannot be asked
   */
  check(circuit: CircuitId, proof: RawProof): Promise<boolean>;
}

/** The prover stops: the proof is neither made nor failed. */
export class InterruptedError extends Error {
  override name = "InterruptedError";
}

export interface RunDependencies {
  payments: Payments;
  queue: ProofQueue;
  times: RunTimes;
  maker: ProofMaker;
  /** Builds the result a client gets from a proven payment. */
  present(row: PaymentRow, stored: StoredProof): ProveResult;
  /** For the operator: how a job ended, and what went wrong underneath when something did. */
  report(job: Job, end: Finished, cause?: unknown): void;
}

export interface Work {
  row: PaymentRow;
  /** Needed until the payment is settled. */
  payment: Payment;
  settler: Settler;
  prepared: Prepared;
  /** performance.now() of the paid request, and what its witness took. */
  startedAt: number;
  witnessMs: number;
}

/**
 * Settle, prove, check, keep. Every step is durable before the next begins; a step that was done by an
 * earlier run is skipped. Never throws: the end is told through the job.
 */
export async function runJob(deps: RunDependencies, job: Job, work: Work): Promise<Finished> {
  let cause: unknown;
  const end = await attempt(deps, job, work, (error) => {
    cause = error;
  });
  deps.report(job, end, cause);
  return end;
}

async function attempt(
  deps: RunDependencies,
  job: Job,
  work: Work,
  failed: (error: unknown) => void,
): Promise<Finished> {
  let payment: JobPayment | undefined;
  try {
    const settledIn = performance.now();
    let row = await settle(deps, job, work);
    const paymentMs = performance.now() - settledIn;
    payment = jobPayment(row);
    job.paid(payment);
    const made = await deps.queue.run(
      () => make(deps, job, work.prepared),
      (position) => job.step("queued", { position }),
    );
    const timing = {
      totalMs: Math.round(performance.now() - work.startedAt),
      paymentMs: Math.round(paymentMs),
      witnessMs: Math.round(work.witnessMs),
      proveMs: Math.round(made.proveMs),
    };
    row = await deps.payments.deliver(job.paymentId, { ...made.proof, timing });
    const stored = storedProof(row);
    if (!stored) throw new Error("a delivered proof is not in its row");
    return { status: "done", result: deps.present(row, stored), payment };
  } catch (error) {
    failed(error);
    return {
      status: "failed",
      refusal: error instanceof Refusal ? error : await failure(deps, job, error),
      payment,
    };
  } finally {
    // The witness holds the identity token.
    work.prepared.witness.fill(0);
  }
}

async function settle({ payments }: RunDependencies, job: Job, work: Work): Promise<PaymentRow> {
  if (work.row.state !== "accepted" && work.row.state !== "settling") return work.row;
  job.step("settling");
  const started = await payments.apply(job.paymentId, { type: "settlement-started" });
  // The state before this attempt: "settling" tells the settler that an earlier one may have worked.
  const result = await work.settler.settle(work.payment, { ...started, state: work.row.state });
  switch (result.status) {
    case "settled":
      return await payments.apply(job.paymentId, { type: "settled", transaction: result.transaction });
    case "void":
      await payments.apply(job.paymentId, { type: "voided" });
      throw refusals.paymentInvalid(
        "expired",
        "the authorization expired or was cancelled; nothing was charged",
      );
    case "unconfirmed":
      throw refusals.unconfirmed();
  }
}

async function make(deps: RunDependencies, job: Job, prepared: Prepared) {
  job.step("proving", { expectedMs: deps.times.expected(job.circuit) });
  const started = performance.now();
  const proof = await deps.maker.prove(job.circuit, prepared.witness);
  const proveMs = performance.now() - started;
  deps.times.record(job.circuit, proveMs);
  job.step("checking");
  const expected = prepared.publicInputs;
  const asAsked =
    proof.publicInputs.length === expected.length &&
    proof.publicInputs.every((word, i) => word === expected[i]);
  if (!asAsked || !(await checkPatiently(deps.maker, job.circuit, proof))) {
    throw new Error("the verifier refused the proof");
  }
  return { proof, proveMs };
}

/** A chain that is away for a moment must not cost a proof that was made. */
async function checkPatiently(maker: ProofMaker, circuit: CircuitId, proof: RawProof): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await maker.check(circuit, proof);
    } catch (error) {
      if (!(error instanceof VerificationUnavailableError)) throw error;
      if (attempt === 4) {
        throw refusals.unavailable(
          "verification_unavailable",
          "the proof could not be checked on chain; send the same PAYMENT-SIGNATURE again, it is not charged twice",
        );
      }
      await new Promise((resolve) => setTimeout(resolve, attempt * 1000));
    }
  }
}

/** Records a failed proof of a paid job; a payment that was not settled is not touched. */
async function failure({ payments }: RunDependencies, job: Job, error: unknown): Promise<Refusal> {
  if (error instanceof InterruptedError) return refusals.interrupted();
  try {
    const row = await payments.apply(job.paymentId, { type: "proof-failed" });
    return refusals.proveFailed(row.state === "credited");
  } catch {
    return refusals.interrupted();
  }
}

/** The payment as job and PAYMENT-RESPONSE show it; only for a settled one. */
export function jobPayment(row: PaymentRow): JobPayment {
  return {
    network: networkSchema.parse(row.network),
    transaction: row.tx_hash ?? "",
    payer: addressSchema.parse(row.payer),
    amount: row.amount,
  };
}
