import type { Address } from "viem";
import type { CircuitId } from "../deployment";
import { seal } from "../sealing";
import type { Job, JobPayment, Network, ProveResult } from "../wire";
import { BuyProofError, ProverError } from "./errors";
import { checkResult, type Expectation } from "./expect";
import { followJob, pause } from "./follow";
import { type ProverConnection, requestPrice, sendPaid } from "./http";
import type { PaymentRecord, PaymentStore } from "./stores";

/** Pauses before the same paid request is sent again after a temporary failure. */
const RETRY_PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];
/** How often to request a failed proof again: the payment stays valid for a resend. */
const MAX_FAILED_PROOFS = 1;

/** The job to deliver. */
export type Delivery = Expectation & {
  circuit: CircuitId;
  store: PaymentStore;
  jobKey: string;
  onProgress?: OnProgress;
  /** Pauses between resends in milliseconds; for tests. */
  retryPausesMs?: readonly number[];
};

/**
 * Sends the stored payment and follows its job, as often as it takes. Every request carries the same payment.
 * @param inputs null if they are lost: then only a job the prover still knows can be followed
 */
export async function deliver(
  request: Delivery,
  connection: ProverConnection,
  stored: PaymentRecord,
  inputs: Record<string, unknown> | null,
): Promise<ProveResult> {
  const { circuit, store, jobKey } = request;
  const onProgress: OnProgress = request.onProgress ?? (() => {});
  const progress = jobProgress(onProgress);
  const pauses = request.retryPausesMs ?? RETRY_PAUSES_MS;
  let record = stored;
  let nonce: string | null = record.paymentNonce;
  let retries = 0;
  let failedProofs = 0;
  let askedForKey = false;

  const keep = async (change: Pick<PaymentRecord, "jobToken"> | Pick<PaymentRecord, "encryptionKey">) => {
    record = { ...record, ...change };
    await store.set(jobKey, record);
  };
  const finish = (result: ProveResult): ProveResult => {
    checkResult({ ...request, inputs }, result);
    onProgress({ stage: "done", result });
    return result;
  };
  for (;;) {
    try {
      if (record.jobToken !== null) {
        return finish(resultOf(await followJob(connection, record.jobToken, progress.job, pauses[0])));
      }
      if (!inputs) throw new BuyProofError("INPUTS_NEEDED", "the proof service needs the inputs again");
      const { paymentSignature, encryptionKey } = record;
      // Every request has a ciphertext of its own.
      const sent =
        encryptionKey === null ? inputs : { encrypted: await seal(encryptionKey, circuit, inputs) };
      const answer = await sendPaid(connection, { circuit, inputs: sent, paymentSignature, nonce });
      if (answer.kind === "result") {
        await keep({ jobToken: answer.result.jobToken });
        if (answer.payment) progress.settled(answer.payment);
        return finish(answer.result);
      }
      await keep({ jobToken: answer.jobToken });
      retries = 0;
    } catch (error) {
      connection.signal?.throwIfAborted();
      const refusal = error instanceof ProverError ? error.code : null;
      if (refusal === "UNKNOWN_JOB") {
        await keep({ jobToken: null });
      } else if (refusal === "PROVE_FAILED" && (isInterrupted(error) || failedProofs < MAX_FAILED_PROOFS)) {
        if (!isInterrupted(error)) failedProofs++;
        await keep({ jobToken: null });
        if (!inputs) throw error;
      } else if (refusal === "INVALID_NONCE" && nonce !== null) {
        // The challenge expired before the request arrived. A signature has its own replay protection, so the nonce
        // may be omitted (spec/prover-api.md, Authentication 4).
        nonce = null;
        continue;
      } else if (isAboutKey(error) && !askedForKey) {
        askedForKey = true;
        await keep({ encryptionKey: await currentKey(connection, record) });
        continue;
      } else if (!isTemporary(error)) {
        throw error;
      }
      const afterMs = Math.max(pauses[retries] ?? -1, retryAfterOf(error));
      if (retries >= pauses.length) throw error;
      retries++;
      onProgress({ stage: "retrying", reason: codeOf(error), afterMs });
      await pause(afterMs, connection.signal);
    }
  }
}

/** Returns whether the prover could not read the inputs: its key changed, or it has one now. */
function isAboutKey(error: unknown): boolean {
  return (
    error instanceof ProverError &&
    error.code === "INVALID_INPUTS" &&
    ["decryption_failed", "encryption_required", "encryption_unavailable"].includes(error.reason ?? "")
  );
}

/** Returns whether the prover stopped before it made the proof: none has failed. */
function isInterrupted(error: unknown): boolean {
  return error instanceof ProverError && error.reason === "interrupted";
}

/** Returns the prover's current key. @throws BuyProofError ENCRYPTION_LOST if it had one and no longer does */
async function currentKey(connection: ProverConnection, record: PaymentRecord): Promise<string | null> {
  const { encryptionKey } = await requestPrice(connection, record.circuit);
  if (encryptionKey === null && record.encryptionKey !== null) {
    throw new BuyProofError("ENCRYPTION_LOST", "the proof service no longer takes encrypted inputs");
  }
  return encryptionKey;
}

function resultOf(job: Job): ProveResult {
  if (job.result) return job.result;
  const body = job.error ?? { error: "PROVE_FAILED", message: "the proof failed" };
  throw new ProverError(0, body, null, job.payment);
}

/** Returns whether the same request may succeed later. */
function isTemporary(error: unknown): boolean {
  if (error instanceof BuyProofError) return error.code === "PROVER_UNREACHABLE";
  if (!(error instanceof ProverError)) return false;
  return error.status === 429 || error.status >= 502 || (error.status === 500 && error.code === "INTERNAL");
}

const retryAfterOf = (error: unknown) => (error instanceof ProverError ? (error.retryAfterMs ?? 0) : 0);
const codeOf = (error: unknown) =>
  error instanceof ProverError || error instanceof BuyProofError ? error.code : "INTERNAL";

/** Progress of a purchase, in order; a stage may be skipped or repeated. */
export type ProofProgress =
  /** The offer to sign. Amount in atomic units. */
  | { stage: "price"; amount: string; network: Network; asset: Address; payTo: Address }
  /** Signed and stored; `reused` if an earlier signature is sent again. */
  | { stage: "payment"; payer: string; network: Network; amount: string; reused: boolean }
  | { stage: "settling" }
  /** Settled on chain or from the gateway's deposit. Amount in atomic units. */
  | { stage: "settled"; transaction: string; network: Network; payer: string; amount: string }
  /** Jobs ahead of this one and milliseconds until the proof is ready; null if unknown. */
  | { stage: "queued"; position: number | null; expectedMs: number | null }
  | { stage: "witness" }
  | { stage: "proving"; elapsedMs: number; expectedMs: number | null }
  | { stage: "checking" }
  /** A temporary failure; the same payment is sent again after the pause. */
  | { stage: "retrying"; reason: string; afterMs: number }
  | { stage: "done"; result: ProveResult };

export type OnProgress = (event: ProofProgress) => void;

/** Converts job states to progress events. Reports the settled payment once. */
function jobProgress(onProgress: OnProgress) {
  let reported = false;
  const settled = (payment: JobPayment) => {
    if (!reported) onProgress({ stage: "settled", ...payment });
    reported = true;
  };
  const job = ({ payment, status, position, elapsedMs = 0, ...times }: Job) => {
    const expectedMs = times.expectedMs ?? null;
    if (payment) settled(payment);
    if (status === "queued") onProgress({ stage: status, position: position ?? null, expectedMs });
    else if (status === "proving") onProgress({ stage: status, elapsedMs, expectedMs });
    else if (status !== "done" && status !== "failed") onProgress({ stage: status });
  };
  return { settled, job };
}
