import type { JobPayment, ProverErrorBody } from "../wire";

/** The prover's error response. */
export class ProverError extends Error {
  override readonly name = "ProverError";
  /** Stable code; see `proverErrorCodes` in wire.ts. */
  readonly code: string;
  /** The broken payment rule, for example `expired`. */
  readonly reason: string | undefined;
  /** The invalid input. */
  readonly field: string | undefined;
  constructor(
    /** HTTP status; 0 for the error of a failed job. */
    readonly status: number,
    body: ProverErrorBody,
    /** From Retry-After, in milliseconds. */
    readonly retryAfterMs: number | null = null,
    /** The failed job's settled payment; it stays valid for a resend. */
    readonly payment: JobPayment | null = null,
  ) {
    super(body.message);
    this.code = body.error;
    this.reason = body.reason;
    this.field = body.field;
  }
}

type BuyProofCode =
  /** Every acceptable offer costs more than the cap. Nothing was signed. */
  | "PRICE_TOO_HIGH"
  /** No offer has an asset and recipient that this installation knows. Nothing was signed. */
  | "OFFER_UNKNOWN"
  /** The prover accepted encrypted inputs at payment and no longer does. Nothing was sent unencrypted. */
  | "ENCRYPTION_LOST"
  /** This job key already paid for other inputs. Nothing was sent. */
  | "JOB_KEY_REUSED"
  /** The payment could not be stored, so it was not sent. */
  | "STORE_FAILED"
  /** The network kept failing; the next call resends the stored payment. */
  | "PROVER_UNREACHABLE"
  /** The time limit passed; the next call with the same job key resumes. */
  | "TIMEOUT"
  /** The prover's response does not follow its protocol. */
  | "BAD_ANSWER"
  /** The proof does not match the request. */
  | "RESULT_MISMATCH"
  /** The prover forgot the job: call `buyProof` with the inputs again, which reuses the stored payment. */
  | "INPUTS_NEEDED"
  /** No payment is stored under this job key. */
  | "NOTHING_TO_RESUME";

/** An error of this client. A signed payment stays in the store under its job key. */
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
