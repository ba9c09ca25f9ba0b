import type { ColumnType, Generated } from "kysely";
import type { PaymentState } from "../jobs/state";

type Timestamp = ColumnType<Date, Date, Date>;
type OptionalTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

/**
 * One signed authorization of a payer, from its acceptance to its proof. Never holds inputs: `input_hash` is
 * an HMAC under a secret kept outside the database.
 */
export interface PaymentTable {
  /** keccak256(network, asset, payer, authorization nonce). Public on chain: never a way to a proof. */
  id: string;
  network: string;
  chain_id: number;
  asset: string;
  payer: string;
  pay_to: string;
  authorization_nonce: string;
  /** Atomic token units, decimal. */
  amount: string;
  /** Seconds, decimal: a uint256 on chain. */
  valid_before: string;
  settlement: "facilitator" | "payee";
  circuit: string;
  input_hash: string;
  state: PaymentState;
  /** Proofs that failed after the payment settled. */
  failures: Generated<number>;
  /** Block before which the authorization was unused: where a search for its settlement begins. */
  from_block: number;
  /** Known before the broadcast when we settle ourselves. */
  tx_hash: string | null;
  /** Our signed settlement transaction, written before its broadcast. */
  raw_transaction: string | null;
  /** Random: whoever holds it may read the proof. */
  job_token: string;
  proof: string | null;
  /** JSON array of 32-byte words. */
  public_inputs: string | null;
  /** JSON of the four durations. */
  timing: string | null;
  created_at: Timestamp;
  settled_at: OptionalTimestamp;
  proven_at: OptionalTimestamp;
}

/** A challenge's nonce: 32 random bytes, one circuit, five minutes, one payment. */
export interface NonceTable {
  nonce: string;
  circuit: string;
  expires_at: Timestamp;
  payment_id: string | null;
}

/** What we owe a payer whose settled payment could not be turned into a proof. */
export interface CreditTable {
  payment_id: string;
  payer: string;
  network: string;
  asset: string;
  amount: string;
  created_at: Timestamp;
  /** When the proof was delivered after all. */
  redeemed_at: OptionalTimestamp;
}

export interface ProverSchema {
  payment: PaymentTable;
  nonce: NonceTable;
  credit: CreditTable;
}
