import type { Address } from "viem";
import type { Job, JobPayment, Network, ProveResult } from "../wire";

/** What a caller hears while a proof is bought, in order; a stage may be skipped or told again. */
export type ProofProgress =
  /** The offer about to be signed. Amount in atomic units. */
  | { stage: "price"; amount: string; network: Network; asset: Address; payTo: Address }
  /** Signed and stored; `reused` when an earlier signature is sent again. */
  | { stage: "payment"; payer: string; network: Network; amount: string; reused: boolean }
  | { stage: "settling" }
  /** On chain, or taken from the gateway's deposit. What it cost in atomic units. */
  | { stage: "settled"; transaction: string; network: Network; payer: string; amount: string }
  /** Jobs ahead of ours, null when unknown; milliseconds until the proof is there, null when the prover cannot say. */
  | { stage: "queued"; position: number | null; expectedMs: number | null }
  | { stage: "witness" }
  | { stage: "proving"; elapsedMs: number; expectedMs: number | null }
  | { stage: "checking" }
  /** A passing failure; the same payment is sent again after the pause. */
  | { stage: "retrying"; reason: string; afterMs: number }
  | { stage: "done"; result: ProveResult };

export type OnProgress = (event: ProofProgress) => void;

/** Turns job states into progress events, telling the settled payment once. */
export function jobProgress(onProgress: OnProgress): {
  job(job: Job): void;
  settled(payment: JobPayment): void;
} {
  let told = false;
  const settled = (payment: JobPayment) => {
    if (told) return;
    told = true;
    const { transaction, network, payer, amount } = payment;
    onProgress({ stage: "settled", transaction, network, payer, amount });
  };
  return {
    settled,
    job(job) {
      if (job.payment) settled(job.payment);
      switch (job.status) {
        case "queued":
          return onProgress({
            stage: "queued",
            position: job.position ?? null,
            expectedMs: job.expectedMs ?? null,
          });
        case "proving":
          return onProgress({
            stage: "proving",
            elapsedMs: job.elapsedMs ?? 0,
            expectedMs: job.expectedMs ?? null,
          });
        case "settling":
        case "witness":
        case "checking":
          return onProgress({ stage: job.status });
        case "done":
        case "failed":
          return;
      }
    },
  };
}
