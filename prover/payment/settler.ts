import type { Address } from "viem";
import type { PaymentRow } from "../store/payments";
import type { Checked } from "./checks";
import type { GasLeft } from "./gas";
import type { AuthorizedPayment, Payment, TransactionPayment } from "./payment";
import type { Learned, Settlement } from "./settlement";

/** One way of turning payments of one kind into money. */
export interface Settler<P extends Payment = Payment> {
  /**
   * Whether the payment can be settled now. Charges nothing, and shows the payment to nobody: whoever sees it could
   * settle it, and it is not written down yet.
   * @throws ChainUnavailableError, SettlementUnavailableError
   */
  verify(payment: P): Promise<Checked>;
  /** Settles; may be repeated for the same payment at any time and never charges twice. Does not throw. */
  settle(payment: P, row: PaymentRow): Promise<Settlement>;
  /**
   * What became of a payment whose settlement is not known, from its row alone (its request is gone). Charges nothing,
   * does not throw.
   */
  learn(row: PaymentRow): Promise<Learned>;
  /** Whether settlements can be expected to work. */
  isReachable(): Promise<boolean>;
  /** Whether an account settles for us; undefined where that cannot be told. */
  isOurs?(sender: Address): boolean | undefined;
  /** What the account that pays for gas has left, where that is known. Does not throw. */
  gas?(): Promise<GasLeft[]>;
}

/** Settlement with an account of our own, whose transactions have to be looked after until they are mined. */
export interface OwnSettler extends Settler<AuthorizedPayment> {
  /** Sends again what an earlier run had written down; once at the start. Does not throw. */
  recover(): Promise<void>;
  /** Sends again what the node lost, and replaces what its fee keeps from being mined; every few seconds. Does not throw. */
  sweep(): Promise<void>;
}

/** How each kind of settlement is done; absent where no offer wants it. */
export interface Settlers {
  facilitator?: Settler<AuthorizedPayment>;
  payee?: OwnSettler;
  gateway?: Settler<AuthorizedPayment>;
  transaction?: Settler<TransactionPayment>;
}

/** The service that settles (facilitator, own account) cannot work now. Nothing was charged. */
export class SettlementUnavailableError extends Error {
  override name = "SettlementUnavailableError";
}
