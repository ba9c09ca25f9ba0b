import type { ColumnType, Generated } from "kysely";
import type { ChainTables } from "@/lib/chain/tables";
import type { PaymentState } from "../jobs/state";

type Timestamp = ColumnType<Date, Date, Date>;
type OptionalTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

/**
 * A payment from acceptance to proof: a signed authorization, or a transfer the payer made. It contains no inputs:
 * `input_hash` is an HMAC under a secret outside the database.
 */
export interface PaymentTable {
  /** keccak256 of what makes the payment unique on its chain. Public, so it never grants access to a proof. */
  id: string;
  network: string;
  chain_id: number;
  asset: string;
  payer: string;
  pay_to: string;
  /** EIP-3009 nonce; null for a transfer the payer made (X-Payment-TX). */
  authorization_nonce: string | null;
  /** Atomic token units, decimal. */
  amount: string;
  /** Seconds, decimal: a uint256 on chain; null for a transfer the payer made. */
  valid_before: string | null;
  settlement: "facilitator" | "payee" | "gateway" | "transaction";
  circuit: string;
  input_hash: string;
  /** `identifierHash` of the purchase it pays for; null if the client named none, and for a void payment. Unique. */
  identifier_hash: string | null;
  state: PaymentState;
  /** Proofs that failed after the payment settled. */
  failures: Generated<number>;
  /** The authorization was unused before this block: the search for its settlement begins here. */
  from_block: number;
  /** The settlement: its hash on chain, or the gateway's id. */
  tx_hash: string | null;
  /**
   * Position of the paying transfer among the transaction's logs; with chain and transaction it is unique. Null for a
   * gateway's transfer, and for payments settled before it was recorded.
   */
  log_index: number | null;
  /** SHA-256 (hex) of the token that opens the job. */
  job_token_hash: string;
  proof: string | null;
  /** JSON array of 32-byte words. */
  public_inputs: string | null;
  /** JSON of the four durations. */
  timing: string | null;
  created_at: Timestamp;
  settled_at: OptionalTimestamp;
  proven_at: OptionalTimestamp;
  /** First delivery of the proof. */
  delivered_at: OptionalTimestamp;
  /** Process that works on this payment, a row of `instance`; null if none does. */
  owner: string | null;
  /** Since when it has waited in the queue; null before and after. */
  queued_at: OptionalTimestamp;
  /** Its newest job in the queue (pg-boss). */
  queue_job: string | null;
  /** JSON of the job's state for other processes, written by its owner. Without result and inputs. */
  progress: string | null;
}

/** A challenge's nonce that a payment used. */
interface NonceTable {
  nonce: string;
  circuit: string;
  expires_at: Timestamp;
  payment_id: string | null;
}

/** A used nonce of a payer who signed in with a wallet. */
interface SignInTable {
  nonce: string;
  expires_at: Timestamp;
}

/** Offers as JSON. */
interface PriceListTable {
  id: Generated<number>;
  offers: string;
  /** When a process last had these prices. */
  seen_at: Timestamp;
}

/** A signed authorization that was not charged because its payer had a credit. */
interface CreditUseTable {
  /** Payment id of the authorization. */
  authorization_id: string;
  /** The credited payment that made its proof. */
  payment_id: string;
  used_at: Timestamp;
}

/** A token transfer to one of our recipients, as on the chain. Join `payment` for what it paid. */
interface TransferTable {
  chain_id: number;
  tx_hash: string;
  log_index: number;
  asset: string;
  payer: string;
  pay_to: string;
  /** Atomic units, decimal. */
  amount: string;
  block: number;
  /** Time of the block. */
  at: Timestamp;
}

/** The first block that was not searched yet for transfers to a recipient. */
interface TransferCursorTable {
  chain_id: number;
  asset: string;
  pay_to: string;
  next_block: number;
}

/** What was refunded, and by which transaction. Written before that is sent. */
export interface RefundTable {
  /** A payment's id, or `<chain>:<transaction>:<log index>` of a transfer without a payment. */
  id: string;
  chain_id: number;
  asset: string;
  /** Who receives it: the payer. */
  payee: string;
  /** Atomic units, decimal. */
  amount: string;
  /** The transaction's first signature until it is mined, then the signature that was. */
  tx_hash: string;
  /** In the journal; null for one the operator sent without us. */
  transaction_id: string | null;
  created_at: Timestamp;
  confirmed_at: OptionalTimestamp;
}

/** What we owe a payer whose settled payment got no proof. */
interface CreditTable {
  payment_id: string;
  payer: string;
  network: string;
  asset: string;
  amount: string;
  created_at: Timestamp;
  /** When the proof was delivered after all, or the amount refunded (`refund`). */
  redeemed_at: OptionalTimestamp;
}

/** The payment that a transaction of the journal settles. */
interface SettlementTransactionTable {
  transaction_id: string;
  payment_id: string;
  /** When the prover found that it failed on chain: it cost gas and moved no money. */
  reverted_at: OptionalTimestamp;
}

/** The journal of our own key's transactions (lib/chain), in its schema. */
type JournalTables = { [Name in keyof ChainTables as `prover_chain.${Name}`]: ChainTables[Name] };

/** A prover process that shares this database. */
interface InstanceTable {
  id: string;
  /** X25519 public key (base64url) for work from other processes; its private key is in memory only. */
  public_key: string;
  /** HMAC-SHA-256 (base64url) of id and key under `PROVER_SECRET`. */
  public_key_mac: string;
  /** Proofs it makes at once. */
  parallel: number;
  started_at: Timestamp;
  /** Without another heartbeat by then, the process counts as dead. */
  alive_until: Timestamp;
}

export interface ProverSchema extends JournalTables {
  payment: PaymentTable;
  nonce: NonceTable;
  sign_in: SignInTable;
  price_list: PriceListTable;
  credit: CreditTable;
  credit_use: CreditUseTable;
  transfer: TransferTable;
  transfer_cursor: TransferCursorTable;
  refund: RefundTable;
  settlement_transaction: SettlementTransactionTable;
  instance: InstanceTable;
}
