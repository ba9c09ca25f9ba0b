import type { Settled, Void } from "../payment/settlement";

/**
 * The states of a payment, as a pure state machine. The store applies it inside a transaction; nothing else changes a
 * payment's state.
 *
 *     accepted ──► settling ──► settled ──► proven
 *         │            │          │ ▲         ▲
 *         └──► void ◄──┘          ▼ │         │
 *                               credited ─────┘
 *                                 │ ▲
 *                                 ▼ │
 *                               refunded
 *
 * (A proof that is not fetched within a day leads from proven back to credited.) The money rule: a settled payment ends as
 * a proof, a refund or a credit; no event leads back to unpaid, and `void` is reached only when the authorization can
 * no longer be used on chain.
 */
export const paymentStates = [
  "accepted",
  "settling",
  "settled",
  "credited",
  "proven",
  "refunded",
  "void",
] as const;
export type PaymentState = (typeof paymentStates)[number];

export interface PaymentProgress {
  state: PaymentState;
  /** Proofs that failed after settlement. */
  failures: number;
  /** Settlement transaction, or a gateway's name for it. */
  transaction: string | null;
  /** Position of the transfer among that transaction's logs; null where there is none, or it was not recorded. */
  logIndex: number | null;
}

export type PaymentEvent =
  /** A settlement attempt starts: from now on its outcome may be unknown. */
  | { type: "settlement-started" }
  /** The transfer is on chain. */
  | { type: "settled"; transaction: string; logIndex?: number }
  /** The authorization expired or was cancelled unused: nothing was or will be charged. */
  | { type: "voided" }
  | { type: "proof-failed" }
  /** The payment is settled, but its inputs no longer make a proof (the token expired before the resend). */
  | { type: "given-up" }
  | { type: "proof-made" }
  /** The proof was deleted after a day. A payer who never got it is still owed one. */
  | { type: "proof-removed"; delivered: boolean }
  /** The operator pays the credit back. */
  | { type: "refunded" }
  /** The refund failed on chain: the credit is owed again. */
  | { type: "refund-failed" };

/** Returns the event of a settlement whose outcome is known. */
export function settlementEvent(outcome: Settled | Void): PaymentEvent {
  if (outcome.status === "void") return { type: "voided" };
  return { type: "settled", transaction: outcome.transaction, logIndex: outcome.logIndex };
}

/** After this many failed proofs a settled payment is recorded as a credit. */
export const failuresUntilCredit = 3;

/** An event that cannot happen in this state: a defect, never a client's fault. */
export class IllegalTransitionError extends Error {
  override name = "IllegalTransitionError";
  constructor(state: PaymentState, event: PaymentEvent["type"]) {
    super(`a payment that is ${state} cannot become ${event}`);
  }
}

/**
 * Returns the payment after an event. An event that has taken effect already changes nothing, so that a step can be
 * repeated after a crash.
 * @throws IllegalTransitionError
 */
export function reduce(payment: PaymentProgress, event: PaymentEvent): PaymentProgress {
  const { state } = payment;
  const paid = state === "settled" || state === "credited" || state === "proven" || state === "refunded";
  switch (event.type) {
    case "settlement-started":
      if (state === "accepted" || state === "settling") return { ...payment, state: "settling" };
      break;
    case "settled":
      if (paid) return payment;
      // Also from void: a transfer that was given up and appears on chain has paid.
      return {
        ...payment,
        state: "settled",
        transaction: event.transaction,
        logIndex: event.logIndex ?? null,
      };
    case "voided":
      if (!paid) return { ...payment, state: "void" };
      break;
    case "proof-failed": {
      if (state !== "settled" && state !== "credited") break;
      const failures = payment.failures + 1;
      return { ...payment, failures, state: failures >= failuresUntilCredit ? "credited" : state };
    }
    case "given-up":
      if (state === "settled" || state === "credited") return { ...payment, state: "credited" };
      break;
    case "proof-made":
      if (paid && state !== "refunded") return { ...payment, state: "proven" };
      break;
    case "proof-removed":
      if (state === "proven") return { ...payment, state: event.delivered ? "proven" : "credited" };
      break;
    case "refunded":
      if (state === "credited" || state === "refunded") return { ...payment, state: "refunded" };
      break;
    case "refund-failed":
      if (state === "refunded") return { ...payment, state: "credited" };
      break;
  }
  throw new IllegalTransitionError(state, event.type);
}
