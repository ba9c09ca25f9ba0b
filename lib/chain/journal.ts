import { type Kysely, sql, type Transaction } from "kysely";
import type { Address, FeeValuesEIP1559, Hex } from "viem";
import { addressSchema, hex32Schema, hexSchema } from "@/lib/proofs/hex";
import type { ChainTables } from "./tables";

type Db = Kysely<ChainTables>;
type Trx = Transaction<ChainTables>;

/** One of our accounts on one chain; each has its own nonces. */
export interface Wallet {
  readonly chainId: number;
  readonly address: Address;
}

/** A call that a transaction makes. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
}

/** A signed form of a transaction. */
export interface Signed extends FeeValuesEIP1559 {
  readonly raw: Hex;
  readonly hash: Hex;
  readonly at: Date;
}

/** A transaction whose nonce is not known to be used. */
export interface OpenTransaction extends Call {
  readonly id: string;
  readonly nonce: number;
  readonly gas: number;
  readonly missingSince: Date | null;
  /** Newest first; never empty. */
  readonly signatures: readonly [Signed, ...Signed[]];
}

/** The outcome of a transaction. */
export interface Closing {
  readonly id: string;
  /** Lost: a transaction that is not ours used its nonce. */
  readonly state: "succeeded" | "failed" | "lost";
  readonly hash: Hex | null;
  readonly blockNumber: number | null;
}

/** A call to sign with the wallet's next nonce. */
interface Entry {
  readonly wallet: Wallet;
  readonly call: Call;
  readonly gas: bigint;
  /** The chain's count of the wallet's transactions: the key may have been used elsewhere. */
  readonly floor: number;
}

/**
 * The transactions of our wallets. Every transaction is stored here before it is sent, and nonces are assigned here, so
 * several processes with one key never use the same nonce.
 */
export class Journal {
  readonly #db: Db;

  /** @param schema PostgreSQL schema of the tables; default the search path of the connection */
  constructor(
    db: Db,
    readonly schema?: string,
  ) {
    this.#db = schema === undefined ? db : db.withSchema(schema);
  }

  /**
   * Assigns the wallet's next nonce, signs the call and stores both, within the caller's database transaction: a
   * rollback frees the nonce. Locks the wallet's row; lock nothing else after it.
   * @param sign must not use the database or wait for the chain; it may ask a remote signer
   * @returns the id of the stored transaction
   */
  async append(
    caller: Trx,
    { wallet, call, gas, floor }: Entry,
    sign: (nonce: number) => Promise<Signed>,
  ): Promise<string> {
    const trx = this.schema === undefined ? caller : caller.withSchema(this.schema);
    const nonce = Math.max(await lockWallet(trx, wallet), floor);
    await trx
      .updateTable("chain_wallets")
      .set({ next_nonce: nonce + 1 })
      .where("chain_id", "=", wallet.chainId)
      .where("address", "=", wallet.address)
      .execute();
    const signed = await sign(nonce);
    const { id } = await trx
      .insertInto("chain_transactions")
      .values({
        ...{ chain_id: wallet.chainId, wallet: wallet.address, nonce },
        ...{ recipient: call.to, data: call.data, gas: Number(gas), created_at: signed.at },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await insertSignature(trx, id, signed);
    return id;
  }

  /** Returns a wallet's transactions that may still be mined, ordered by nonce. */
  async open(wallet: Wallet, db: Db = this.#db): Promise<OpenTransaction[]> {
    const rows = await db
      .selectFrom("chain_transactions as t")
      .innerJoin("chain_signatures as s", "s.transaction_id", "t.id")
      .select(["t.id", "t.nonce", "t.gas", "t.recipient", "t.data", "t.missing_since"])
      .select(["s.hash", "s.raw", "s.max_fee_per_gas", "s.max_priority_fee_per_gas", "s.created_at"])
      .where("t.chain_id", "=", wallet.chainId)
      .where("t.wallet", "=", wallet.address)
      .where("t.state", "=", "open")
      .orderBy("t.nonce")
      .orderBy("s.created_at", "desc")
      .orderBy(sql`s.max_fee_per_gas::numeric`, "desc")
      .execute();
    const open = new Map<string, OpenTransaction>();
    for (const row of rows) {
      const signed: Signed = {
        raw: hexSchema.parse(row.raw),
        hash: hex32Schema.parse(row.hash),
        maxFeePerGas: BigInt(row.max_fee_per_gas),
        maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
        at: row.created_at,
      };
      const known = open.get(row.id);
      open.set(row.id, {
        ...{ id: row.id, nonce: row.nonce, gas: row.gas, missingSince: row.missing_since },
        ...{ to: addressSchema.parse(row.recipient), data: hexSchema.parse(row.data) },
        signatures: known ? [...known.signatures, signed] : [signed],
      });
    }
    return [...open.values()];
  }

  /**
   * Signs and stores a replacement with the same nonce, unless the transaction was replaced or closed since it was read.
   * @param sign as for `append`
   */
  async replace(
    wallet: Wallet,
    { id, signatures: [newest] }: OpenTransaction,
    sign: () => Promise<Signed>,
  ): Promise<Signed | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockWallet(trx, wallet);
      const open = await this.open(wallet, trx);
      const now = open.find((transaction) => transaction.id === id);
      if (now?.signatures[0].hash !== newest.hash) return undefined;
      const signed = await sign();
      await insertSignature(trx, id, signed);
      return signed;
    });
  }

  /** Stores since when a transaction's nonce is used and none of its signatures has a receipt. */
  async markMissing(id: string, since: Date | null): Promise<void> {
    await this.#db
      .updateTable("chain_transactions")
      .set({ missing_since: since })
      .where("id", "=", id)
      .execute();
  }

  /**
   * Stores the outcome of a transaction.
   * @param trx the caller's database transaction, to write more in the same one
   * @returns false if another process closed it already
   */
  async close({ id, state, hash, blockNumber }: Closing, trx?: Trx): Promise<boolean> {
    const db = trx && this.schema !== undefined ? trx.withSchema(this.schema) : (trx ?? this.#db);
    const closed = await db
      .updateTable("chain_transactions")
      .set({ state, mined_hash: hash, block_number: blockNumber, missing_since: null })
      .where("id", "=", id)
      .where("state", "=", "open")
      .returning("id")
      .executeTakeFirst();
    return closed !== undefined;
  }

  /**
   * Reopens closed transactions, failed ones too, whose nonces the chain does not count as used: their blocks were
   * reorganized away, and an unused nonce would block all later ones.
   * @param mined the chain's count of mined transactions
   */
  async reopen(wallet: Wallet, mined: number): Promise<void> {
    await this.#db
      .updateTable("chain_transactions")
      .set({ state: "open", mined_hash: null, block_number: null })
      .where("chain_id", "=", wallet.chainId)
      .where("wallet", "=", wallet.address)
      .where("nonce", ">=", mined)
      .where("state", "<>", "open")
      .execute();
  }
}

/**
 * Locks the wallet's row, so that no other process assigns a nonce, signs or replaces meanwhile.
 * @returns the wallet's next nonce, as far as we know
 */
async function lockWallet(trx: Trx, { chainId, address }: Wallet): Promise<number> {
  await trx
    .insertInto("chain_wallets")
    .values({ chain_id: chainId, address, next_nonce: 0 })
    .onConflict((conflict) => conflict.columns(["chain_id", "address"]).doNothing())
    .execute();
  const row = await trx
    .selectFrom("chain_wallets")
    .select("next_nonce")
    .where("chain_id", "=", chainId)
    .where("address", "=", address)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return row.next_nonce;
}

async function insertSignature(trx: Trx, transactionId: string, signed: Signed): Promise<void> {
  await trx
    .insertInto("chain_signatures")
    .values({
      hash: signed.hash,
      transaction_id: transactionId,
      raw: signed.raw,
      max_fee_per_gas: signed.maxFeePerGas.toString(),
      max_priority_fee_per_gas: signed.maxPriorityFeePerGas.toString(),
      created_at: signed.at,
    })
    .execute();
}
