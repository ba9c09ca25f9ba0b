import type { Address } from "viem";
import type { PaymentRow } from "../store/payments";
import type { Checked } from "./checks";
import type { GasLeft } from "./gas";
import type { AuthorizedPayment, Payment, TransactionPayment } from "./payment";
import type { Learned, Settlement } from "./settlement";

/** Settles payments of one kind. */
export interface Settler<P extends Payment = Payment> {
  /**
   * Checks whether the payment can be settled now. Charges nothing and shows the payment to no one: it is not stored yet,
   * and whoever sees it could settle it.
   * @throws ChainUnavailableError, SettlementUnavailableError
   */
  verify(payment: P): Promise<Checked>;
  /** Settles. Repeating it for the same payment never charges twice. Does not throw. */
  settle(payment: P, row: PaymentRow): Promise<Settlement>;
  /** Finds out what became of a payment from its row alone, since its request is gone. Charges nothing, does not throw. */
  learn(row: PaymentRow): Promise<Learned>;
  /** Whether settlements can be expected to work. */
  isReachable(): Promise<boolean>;
  /** Whether an account settles for us; undefined if that is not known. */
  isOurs?(sender: Address): boolean | undefined;
  /** Returns what the account that pays for gas has left, where known. Does not throw. */
  gas?(): Promise<GasLeft[]>;
}

/** Settles with an account of our own, whose transactions need attention until they are mined. */
export interface OwnSettler extends Settler<AuthorizedPayment> {
  /** Sends stored transactions of an earlier run again; once at the start. Does not throw. */
  recover(): Promise<void>;
  /** Sends transactions again that the node lost, and raises fees that are too low; every few seconds. Does not throw. */
  sweep(): Promise<void>;
}

/** The settler of each kind of settlement that an offer has. */
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
