import type { ColumnType, Generated } from "kysely";

type Once<T> = ColumnType<T, T, never>;
/** A UTC date as `2026-11-22`: written and compared, never read, since drivers disagree on it. */
type Day = ColumnType<never, string, never>;
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** An account of ours on a chain. */
interface ChainWalletTable {
  chain_id: number;
  address: string;
  /** Number of the next transaction that is signed. */
  next_nonce: number;
}

/** A transaction of ours; it is written down before it leaves and stays for good. */
interface ChainTransactionTable {
  id: Generated<string>;
  chain_id: Once<number>;
  wallet: Once<string>;
  nonce: Once<number>;
  recipient: Once<string>;
  data: Once<string>;
  gas: Once<number>;
  /** Lost: its number was used up by a transaction that is not ours. */
  state: ColumnType<
    "open" | "succeeded" | "failed" | "lost",
    "open" | undefined,
    "open" | "succeeded" | "failed" | "lost"
  >;
  created_at: Once<Date>;
  missing_since: Later<Date>;
  mined_hash: Later<string>;
  block_number: Later<number>;
}

/** A signed form of a transaction; the newest is the one that is sent. Fees are decimal wei per gas. */
interface ChainSignatureTable {
  hash: Once<string>;
  transaction_id: Once<string>;
  raw: Once<string>;
  max_fee_per_gas: Once<string>;
  max_priority_fee_per_gas: Once<string>;
  created_at: Once<Date>;
}

/** One person's record of one post. A failed one counts for nothing. */
interface RecordTable {
  id: Generated<string>;
  post_id: Once<string>;
  recorder_id: Once<string>;
  /** keccak256 of the post's content, 0x-prefixed. */
  content_hash: Once<string>;
  day: Day;
  status: "sent" | "confirmed" | "failed";
  transaction_id: Once<string>;
  tx_hash: Later<string>;
  block_number: Later<number>;
  created_at: Once<Date>;
  confirmed_at: Later<Date>;
}

/** Records of a person on a day that did not fail. */
interface RecordDayTable {
  user_id: Once<string>;
  day: Day;
  count: number;
}

export interface RecordTables {
  chain_wallets: ChainWalletTable;
  chain_transactions: ChainTransactionTable;
  chain_signatures: ChainSignatureTable;
  records: RecordTable;
  record_days: RecordDayTable;
}
