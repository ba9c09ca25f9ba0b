import type { ProverErrorCode } from "@/lib/proofs/wire";

interface RefusalDetails {
  /** Machine-readable cause, e.g. `expired`. */
  reason?: string;
  /** The header, body field or input at fault. */
  field?: string;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
}

/** Statuses of refusals. */
export const refusalStatuses = [400, 402, 404, 405, 409, 413, 415, 429, 500, 503] as const;
type Status = (typeof refusalStatuses)[number];

/**
 * An error of the prover's API, as the caller sees it. Codes are in lib/proofs/wire.ts; the community's API has `Refusal`
 * (lib/errors.ts). Messages never repeat what the client sent.
 */
export class ProverRefusal extends Error {
  override name = "ProverRefusal";
  constructor(
    readonly status: Status,
    readonly code: ProverErrorCode,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message);
  }

  /** Returns the response body. */
  body() {
    const { reason, field } = this.details;
    return { error: this.code, message: this.message, reason, field };
  }
}

const resend = "send the same request with the same PAYMENT-SIGNATURE again; it is not charged twice";

/**
 * Returns the error of an ended job. A request may get BUSY; for a client that follows the ended job, the proof failed
 * and the remedy is the same resend: PROVE_FAILED with the same reason.
 */
export function jobError(refusal: ProverRefusal) {
  const body = refusal.body();
  return { ...body, error: refusal.code === "BUSY" ? ("PROVE_FAILED" as const) : body.error };
}

/** Why the prover takes no new work now. */
const busyMessages = {
  queue_full: "the prover has no free place in its queue",
  settlements_full: "too many payments are being settled",
  witnesses_full: "too many requests are waiting to be checked",
  payments_open:
    "earlier payments of this payer are still being settled, and this one may exceed what is left",
  credit_in_use: "this payer's credit is being used for another request",
} as const;

const unavailable = (reason: string, message: string) =>
  new ProverRefusal(503, "BUSY", message, { reason, retryAfter: 5 });
const used = (reason: string, message: string) =>
  new ProverRefusal(409, "PAYMENT_ALREADY_USED", message, { reason });
const failed = (reason: string, message: string) =>
  new ProverRefusal(500, "PROVE_FAILED", message, { reason });

/** Refusals that several steps share. */
export const refusals = {
  /** @param field the header, body field or input at fault */
  invalid: (code: ProverErrorCode, message: string, field?: string, reason?: string) =>
    new ProverRefusal(400, code, message, { field, reason }),
  /** @param retryAfter seconds */
  busy: (reason: keyof typeof busyMessages, retryAfter: number) =>
    new ProverRefusal(503, "BUSY", `${busyMessages[reason]}; nothing was charged`, { reason, retryAfter }),
  paymentInvalid: (reason: string, message: string) =>
    new ProverRefusal(402, "PAYMENT_INVALID", message, { reason }),
  unavailable,
  unconfirmed: () => unavailable("settlement_unconfirmed", `the payment is not confirmed yet: ${resend}`),
  interrupted: () => unavailable("interrupted", `the proof was interrupted: ${resend}`),
  credited: () =>
    failed(
      "credited",
      "the inputs of this paid request no longer make a proof; what was paid is your credit: sign a new payment from the same wallet, with fresh inputs, and nothing is charged",
    ),
  refunded: () => used("refunded", "this payment was refunded"),
  removed: () => used("proof_removed", "the proof this payment bought was kept for a day and is gone"),
  proveFailed: (credited: boolean) =>
    failed(credited ? "credited" : "resend", `the proof could not be made: ${resend}`),
};
