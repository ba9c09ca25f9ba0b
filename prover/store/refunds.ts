import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Hex } from "viem";
import type { Journal } from "@/lib/chain/journal";
import type { ChainTables } from "@/lib/chain/tables";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";
import type { Credits } from "./credits";
import type { ProverSchema, RefundTable } from "./schema";
import { type Owed, transferWithoutPayment } from "./transfers";

export type RefundRow = Selectable<RefundTable>;

/** A refund of ours whose outcome is not stored yet, with its transaction in the journal. */
export type OpenRefund = Awaited<ReturnType<Refunds["open"]>>[number];

/** Refunds. Each is stored before its transaction is sent, in the database transaction that ends the claim to a proof. */
export class Refunds {
  /** @param journal stores the transactions that refund */
  constructor(
    readonly db: Kysely<ProverSchema>,
    readonly credits: Credits,
    readonly journal: Journal,
  ) {}

  async find(id: string): Promise<RefundRow | undefined> {
    return await this.db.selectFrom("refund").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** Returns the refunds whose transaction is not known to be final. */
  async open() {
    const rows = await this.db
      .selectFrom("refund as r")
      .innerJoin("prover_chain.chain_transactions as t", "t.id", "r.transaction_id")
      .innerJoin("prover_chain.chain_signatures as s", "s.transaction_id", "t.id")
      .select(["r.id", "t.id as transactionId", "t.chain_id", "t.wallet", "t.nonce", "t.state"])
      .select(sql<string[]>`array_agg(s.hash)`.as("hashes"))
      .where("r.confirmed_at", "is", null)
      .groupBy(["r.id", "t.id"])
      .execute();
    return rows.map(({ id, transactionId, chain_id, wallet, nonce, state, hashes }) => ({
      ...{ id, transactionId, chainId: chain_id, wallet: addressSchema.parse(wallet), nonce, state },
      /** Of all its signatures. */
      hashes: hashes.map((hash) => hex32Schema.parse(hash)),
    }));
  }

  /**
   * Returns what is to be refunded.
   * @param id a payment's, or `<chain>:<transaction>:<position>` of a transfer
   * @throws NothingOwedError
   */
  async owed(id: string, db: Kysely<ProverSchema> = this.db): Promise<Owed> {
    return id.includes(":") ? await transferWithoutPayment(db, id) : await this.credits.refundable(db, id);
  }

  /**
   * Decides to refund, once: from here on the payment buys no proof.
   * @param append stores the transaction in the journal
   * @throws NothingOwedError
   */
  async begin(
    id: string,
    append: (trx: Transaction<ChainTables>) => Promise<string>,
  ): Promise<{ row: RefundRow; transactionId: string }> {
    return await this.db.transaction().execute(async (trx) => {
      const owed = await this.#claim(trx, id);
      const transactionId = await append(trx.withTables<ChainTables>());
      const { hash } = await trx
        .selectFrom("prover_chain.chain_signatures")
        .select("hash")
        .where("transaction_id", "=", transactionId)
        .executeTakeFirstOrThrow();
      const row = await insert(trx, owed, {
        tx_hash: hash,
        transaction_id: transactionId,
        confirmed_at: null,
      });
      return { row, transactionId };
    });
  }

  /** Stores a refund that the operator made. @throws NothingOwedError */
  async record(id: string, hash: Hex): Promise<RefundRow> {
    return await this.db.transaction().execute(async (trx) => {
      const owed = await this.#claim(trx, id);
      return await insert(trx, owed, { tx_hash: hash, transaction_id: null, confirmed_at: new Date() });
    });
  }

  /** Stores that a refund is final, and which of its signatures was mined. */
  async confirm({ transactionId }: OpenRefund, hash: Hex): Promise<void> {
    await this.db
      .updateTable("refund")
      .set({ confirmed_at: new Date(), tx_hash: hash })
      .where("transaction_id", "=", transactionId)
      .execute();
  }

  /** The transaction failed on chain for good: what it was to refund is owed again. */
  async fail({ id, transactionId }: OpenRefund): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const gone = await trx
        .deleteFrom("refund")
        .where("transaction_id", "=", transactionId)
        .where("confirmed_at", "is", null)
        .executeTakeFirst();
      if (gone.numDeletedRows > 0n && !id.includes(":")) await this.credits.owedAgain(trx, id);
    });
  }

  async #claim(trx: Transaction<ProverSchema>, id: string): Promise<Owed> {
    const owed = await this.owed(id, trx);
    if (!id.includes(":")) await this.credits.refund(trx, id);
    return owed;
  }
}

async function insert(
  trx: Transaction<ProverSchema>,
  { id, chainId, asset, payee, amount }: Owed,
  transaction: Pick<RefundRow, "tx_hash" | "transaction_id" | "confirmed_at">,
): Promise<RefundRow> {
  return await trx
    .insertInto("refund")
    .values({ id, chain_id: chainId, asset, payee, amount, created_at: new Date(), ...transaction })
    .returningAll()
    .executeTakeFirstOrThrow();
}
