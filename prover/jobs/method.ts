import type { Checked } from "../payment/checks";
import { ChainUnavailableError } from "../payment/ledger";
import type { Payment } from "../payment/payment";
import { type Settlement, SettlementUnavailableError, type Settlers } from "../payment/settler";
import { refusals } from "../refusal";
import type { PaymentRow } from "../store/payments";

/** A payment together with the one way it is verified and settled. */
export interface Method {
  payment: Payment;
  /** @throws ChainUnavailableError, SettlementUnavailableError */
  verify(): Promise<Checked>;
  settle(row: PaymentRow): Promise<Settlement>;
}

/** How a payment becomes money; undefined when this prover has no means for it. */
export function methodOf(payment: Payment, settlers: Settlers): Method | undefined {
  if (payment.kind === "transaction") {
    const { transaction: settler } = settlers;
    if (!settler) return undefined;
    return { payment, verify: () => settler.verify(payment), settle: (row) => settler.settle(payment, row) };
  }
  const settler = settlers[payment.offer.settlement];
  if (!settler) return undefined;
  return { payment, verify: () => settler.verify(payment), settle: (row) => settler.settle(payment, row) };
}

/** A failure to ask whether a payment holds, as the client is told it. */
export function unavailable(error: unknown): unknown {
  if (error instanceof ChainUnavailableError) {
    return refusals.unavailable(
      "chain_unavailable",
      "the payment chain does not answer; nothing was charged",
    );
  }
  if (error instanceof SettlementUnavailableError) {
    return refusals.unavailable(
      "settlement_unavailable",
      "payments cannot be settled now; nothing was charged",
    );
  }
  return error;
}
