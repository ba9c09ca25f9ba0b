import type { Address } from "viem";

/** Why a payment is refused; sent as `reason` with PAYMENT_INVALID. */
export type PaymentRefusal =
  | "wrong_network"
  | "wrong_asset"
  | "wrong_recipient"
  | "wrong_amount"
  | "expired"
  | "not_yet_valid"
  | "invalid_signature"
  | "already_used"
  | "insufficient_balance"
  | "refused_by_facilitator"
  | "refused_by_gateway"
  /** The deposit with the gateway, which is not the wallet's balance. */
  | "insufficient_deposit"
  /** Not on this chain, or not there yet. */
  | "transaction_not_found"
  | "transaction_failed"
  /** The transaction's calldata does not end with keccak256 of the challenge's nonce. */
  | "wrong_nonce"
  /** A settlement of this payer failed on chain, at our cost, within the last hour. */
  | "settlement_reverted"
  /** Signed by a contract wallet that is not on this chain yet (ERC-6492). */
  | "wallet_not_deployed";

/** The money moved. */
export interface Settled {
  status: "settled";
  /** Hash on chain, or the gateway's id of the transfer. */
  transaction: string;
  /** Position of the transfer among the transaction's logs: one transfer pays once. Gateways have none. */
  logIndex?: number;
  /** Who sent the transaction, where that is known. */
  sender?: Address;
}

/** The payment can no longer pay us. */
export interface Void {
  status: "void";
  reason: PaymentRefusal;
}

/**
 * The service that settles refuses. It has seen the payment and may be lying, so the payment stays open until it is
 * settled or can no longer be.
 */
interface Refused {
  status: "refused";
  reason: PaymentRefusal;
}

/**
 * Result of a settlement attempt. There is no "failed": a transfer is on chain, or can no longer get there, or its
 * outcome is unknown and the client sends the same payment again.
 */
export type Settlement = Settled | Void | Refused | { status: "unconfirmed" };

/** What can be found out about a payment without settling it. */
export type Learned = Exclude<Settlement, Refused>;
