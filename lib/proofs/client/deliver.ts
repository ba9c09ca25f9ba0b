import type { CircuitId } from "../deployment";
import { seal } from "../sealing";
import type { Job, ProveResult } from "../wire";
import { BuyProofError, ProverError } from "./errors";
import { checkResult, type Expectation } from "./expect";
import { followJob, pause } from "./follow";
import { type ProverConnection, requestPrice, sendPaid } from "./http";
import { jobProgress, type OnProgress } from "./progress";
import type { PaymentRecord, PaymentStore } from "./stores";

/** Pauses before the same paid request is sent again after a passing failure. */
const RETRY_PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];
/** A proof that failed is asked for again this often: the payment stays good for a resend. */
const MAX_FAILED_PROOFS = 1;

/** What a paid job is delivered for. */
export type Delivery = Expectation & {
  circuit: CircuitId;
  store: PaymentStore;
  jobKey: string;
  onProgress?: OnProgress;
  /** Pauses between resends in milliseconds; for tests. */
  retryPausesMs?: readonly number[];
};

/**
 * Sends the stored payment, and follows its job, as often as it takes. Every request carries the same payment.
 * @param inputs null where they are gone: then only a job the prover still knows can be followed
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
      const travelling = await inTransit(circuit, inputs, encryptionKey);
      const answer = await sendPaid(connection, { circuit, inputs: travelling, paymentSignature, nonce });
      if (answer.kind === "result") {
        await keep({ jobToken: answer.result.jobToken });
        if (answer.payment) progress.settled(answer.payment);
        return finish(answer.result);
      }
      await keep({ jobToken: answer.jobToken });
      retries = 0;
    } catch (error) {
      connection.signal?.throwIfAborted();
      if (error instanceof ProverError && error.code === "UNKNOWN_JOB") {
        await keep({ jobToken: null });
      } else if (
        error instanceof ProverError &&
        error.code === "PROVE_FAILED" &&
        failedProofs < MAX_FAILED_PROOFS
      ) {
        failedProofs++;
        await keep({ jobToken: null });
        if (!inputs) throw error;
      } else if (error instanceof ProverError && error.code === "INVALID_NONCE" && nonce !== null) {
        // The challenge ran out before the request arrived. A signature has its own replay protection, so
        // the nonce may be left out (spec/prover-api.md, Authentication 4).
        nonce = null;
        continue;
      } else if (isAboutKey(error) && !askedForKey) {
        askedForKey = true;
        await keep({ encryptionKey: await currentKey(connection, record) });
        continue;
      } else if (!isPassing(error)) {
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

/** Inputs as they travel: sealed where the prover has a key. Every sending has its own ciphertext. */
async function inTransit(
  circuit: CircuitId,
  inputs: Record<string, unknown>,
  encryptionKey: string | null,
): Promise<Record<string, unknown>> {
  return encryptionKey === null ? inputs : { encrypted: await seal(encryptionKey, circuit, inputs) };
}

/** The prover could not read the inputs as they were sent: its key is a new one since, or it has one now. */
function isAboutKey(error: unknown): boolean {
  return (
    error instanceof ProverError &&
    error.code === "INVALID_INPUTS" &&
    (error.reason === "decryption_failed" ||
      error.reason === "encryption_required" ||
      error.reason === "encryption_unavailable")
  );
}

/** The prover's key now. @throws BuyProofError ENCRYPTION_LOST where it had one and has none any more */
async function currentKey(connection: ProverConnection, record: PaymentRecord): Promise<string | null> {
  const { encryptionKey } = await requestPrice(connection, record.circuit);
  if (encryptionKey === null && record.encryptionKey !== null) {
    throw new BuyProofError("ENCRYPTION_LOST", "the proof service no longer takes encrypted inputs");
  }
  return encryptionKey;
}

function resultOf(job: Job): ProveResult {
  if (job.result) return job.result;
  throw new ProverError(
    0,
    job.error ?? { error: "PROVE_FAILED", message: "the proof failed" },
    null,
    job.payment,
  );
}

/** Whether the same request may succeed later, as it stands. */
function isPassing(error: unknown): boolean {
  if (error instanceof BuyProofError) return error.code === "PROVER_UNREACHABLE";
  if (!(error instanceof ProverError)) return false;
  return error.status === 429 || error.status >= 502 || (error.status === 500 && error.code === "INTERNAL");
}

const retryAfterOf = (error: unknown) => (error instanceof ProverError ? (error.retryAfterMs ?? 0) : 0);
const codeOf = (error: unknown) =>
  error instanceof ProverError || error instanceof BuyProofError ? error.code : "INTERNAL";
