import type { Hex } from "viem";
import type { PaymentRow } from "../store/payments";
import type { Checked } from "./checks";
import type { Payment } from "./payment";

/**
 * Result of a settlement attempt. There is no "failed": a transfer either is on chain, or can no longer come
 * there, or its outcome is not known yet and the same payment is to be sent again.
 */
export type Settlement =
  | { status: "settled"; transaction: Hex }
  | { status: "void" }
  | { status: "unconfirmed" };

/** One way of turning a signed authorization into money. */
export interface Settler {
  /**
   * Whether the payment can be settled now. Charges nothing.
   * @throws ChainUnavailableError, SettlementUnavailableError
   */
  verify(payment: Payment): Promise<Checked>;
  /** Settles; may be repeated for the same payment at any time and never charges twice. Does not throw. */
  settle(payment: Payment, row: PaymentRow): Promise<Settlement>;
  /** Whether settlements can be expected to work. */
  isReachable(): Promise<boolean>;
}

/** The service that settles (facilitator, own account) cannot work now. Nothing was charged. */
export class SettlementUnavailableError extends Error {
  override name = "SettlementUnavailableError";
}
