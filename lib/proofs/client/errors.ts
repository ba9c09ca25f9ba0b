import type { JobPayment, ProverErrorBody } from "../wire";

/** The prover's own refusal, as its error body says it. */
export class ProverError extends Error {
  override readonly name = "ProverError";
  /** Stable word, see `proverErrorCodes` in wire.ts. */
  readonly code: string;
  /** Which payment rule was broken, e.g. `expired`. */
  readonly reason: string | undefined;
  /** Which input is to blame. */
  readonly field: string | undefined;
  constructor(
    /** HTTP status, or 0 when the error ended a job. */
    readonly status: number,
    body: ProverErrorBody,
    /** From Retry-After, in milliseconds. */
    readonly retryAfterMs: number | null = null,
    /** The payment of the failed job, when it was settled; it stays good for a resend. */
    readonly payment: JobPayment | null = null,
  ) {
    super(body.message);
    this.code = body.error;
    this.reason = body.reason;
    this.field = body.field;
  }
}

export type BuyProofCode =
  /** Every acceptable offer costs more than the cap. Nothing was signed. */
  | "PRICE_TOO_HIGH"
  /** No offer pays an asset and recipient this installation knows. Nothing was signed. */
  | "OFFER_UNKNOWN"
  /** The prover took encrypted inputs when this was paid, and does not any more. Nothing was sent in the clear. */
  | "ENCRYPTION_LOST"
  /** This job key already paid for other inputs. Nothing was sent. */
  | "JOB_KEY_REUSED"
  /** The payment could not be stored, so it was not sent. */
  | "STORE_FAILED"
  /** The network failed to the end; the stored payment is resent by the next call. */
  | "PROVER_UNREACHABLE"
  /** Not done in time; the next call with the same job key continues. */
  | "TIMEOUT"
  /** The prover answered something that is not its protocol. */
  | "BAD_ANSWER"
  /** The proof is not about what was asked for. */
  | "RESULT_MISMATCH"
  /** The prover forgot the job: call `buyProof` with the inputs again; the stored payment is reused. */
  | "INPUTS_NEEDED"
  /** No payment is stored under this job key. */
  | "NOTHING_TO_RESUME";

/** This client's own refusal. Anything signed stays in the store under its job key. */
export class BuyProofError extends Error {
  override readonly name = "BuyProofError";
  constructor(
    readonly code: BuyProofCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
