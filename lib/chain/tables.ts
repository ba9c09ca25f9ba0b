import type { ColumnType, Generated } from "kysely";

type Once<T> = ColumnType<T, T, never>;
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** One of our accounts on a chain. */
interface ChainWalletTable {
  chain_id: number;
  address: string;
  /** Nonce of the next transaction. */
  next_nonce: number;
}

/** One of our transactions; stored before it is sent and never deleted. */
interface ChainTransactionTable {
  id: Generated<string>;
  chain_id: Once<number>;
  wallet: Once<string>;
  nonce: Once<number>;
  recipient: Once<string>;
  data: Once<string>;
  gas: Once<number>;
  /** Lost: a transaction that is not ours used its nonce. */
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

/** A signed form of a transaction; the newest one is sent. Fees are decimal wei per gas. */
interface ChainSignatureTable {
  hash: Once<string>;
  transaction_id: Once<string>;
  raw: Once<string>;
  max_fee_per_gas: Once<string>;
  max_priority_fee_per_gas: Once<string>;
  created_at: Once<Date>;
}

/**
 * The journal of our transactions. The app keeps these tables among its own; the prover keeps them in a separate schema,
 * so that both programs can share one database.
 */
export type ChainTables = {
  chain_wallets: ChainWalletTable;
  chain_transactions: ChainTransactionTable;
  chain_signatures: ChainSignatureTable;
};
