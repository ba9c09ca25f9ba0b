import type { CircuitId } from "@/lib/proofs/deployment";
import type { Observer } from "../observer";
import type { Checked } from "../payment/checks";
import { ChainUnavailableError } from "../payment/ledger";
import type { Payment } from "../payment/payment";
import { type Settled, type Settlement } from "../payment/settlement";
import { SettlementUnavailableError, type Settler, type Settlers } from "../payment/settler";
import { refusals } from "../refusal";
import type { CreditWanted } from "../store/credits";
import type { PaymentRow } from "../store/payments";

/** A payment and the one way to verify and settle it. */
export interface Method {
  payment: Payment;
  /** @throws ChainUnavailableError, SettlementUnavailableError */
  verify(): Promise<Checked>;
  settle(row: PaymentRow): Promise<Settlement>;
}

/** Returns how to settle a payment; undefined when this prover cannot. */
export function methodOf(payment: Payment, settlers: Settlers, observer: Observer): Method | undefined {
  if (payment.kind === "transaction") {
    return settlers.transaction && method(payment, settlers.transaction, observer);
  }
  const settler = settlers[payment.offer.settlement];
  return settler && method(payment, settler, observer);
}

function method<P extends Payment>(payment: P, settler: Settler<P>, observer: Observer): Method {
  const { settlement, network } = payment.offer;
  const seen = ({ sender }: Settled) => {
    if (sender && settler.isOurs?.(sender) === false) observer.foreign(settlement, network);
  };
  return {
    payment,
    async verify() {
      const checked = await settler.verify(payment);
      if (checked.ok && checked.settled) seen(checked.settled);
      return checked;
    },
    async settle(row) {
      const result = await settler.settle(payment, row);
      if (result.status === "settled") seen(result);
      return result;
    },
  };
}

/** Turns a failed check of a payment into the refusal a client gets. */
export function unavailable(error: unknown): unknown {
  if (error instanceof ChainUnavailableError) {
    const message = "the payment chain does not answer; nothing was charged";
    return refusals.unavailable("chain_unavailable", message);
  }
  if (error instanceof SettlementUnavailableError) {
    const message = "payments cannot be settled now; nothing was charged";
    return refusals.unavailable("settlement_unavailable", message);
  }
  return error;
}

/** Returns the credit that would replace an authorization; a transfer has moved the money, so it has none. */
export function creditWanted({ payment }: Method, circuit: CircuitId): CreditWanted | undefined {
  if (payment.kind !== "authorization") return undefined;
  const { network, asset, amount } = payment.offer;
  return { payer: payment.payer, network, asset, circuit, amount };
}
