import type { Hex } from "viem";
import type { PaymentRow } from "../store/payments";
import type { Checked } from "./checks";
import type { AuthorizedPayment, Payment, TransactionPayment } from "./payment";

/**
 * Result of a settlement attempt. There is no "failed": a transfer either is on chain, or can no longer come
 * there, or its outcome is not known yet and the same payment is to be sent again.
 */
export type Settlement =
  /** `transaction`: hash on chain, or the gateway's name for the transfer. */
  | { status: "settled"; transaction: string }
  | { status: "void" }
  | { status: "unconfirmed" };

/** One way of turning payments of one kind into money. */
export interface Settler<P extends Payment = Payment> {
  /**
   * Whether the payment can be settled now. Charges nothing.
   * @throws ChainUnavailableError, SettlementUnavailableError
   */
  verify(payment: P): Promise<Checked>;
  /** Settles; may be repeated for the same payment at any time and never charges twice. Does not throw. */
  settle(payment: P, row: PaymentRow): Promise<Settlement>;
  /** Whether settlements can be expected to work. */
  isReachable(): Promise<boolean>;
}

/** How each kind of settlement is done; absent where no offer wants it. */
export interface Settlers {
  facilitator?: Settler<AuthorizedPayment>;
  payee?: Settler<AuthorizedPayment>;
  gateway?: Settler<AuthorizedPayment>;
  transaction?: Settler<TransactionPayment>;
}

/** The service that settles (facilitator, own account) cannot work now. Nothing was charged. */
export class SettlementUnavailableError extends Error {
  override name = "SettlementUnavailableError";
}
