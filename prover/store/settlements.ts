import type { Kysely, Transaction } from "kysely";
import type { Address, Hex } from "viem";
import { Journal } from "@/lib/chain/journal";
import type { ChainTables } from "@/lib/chain/tables";
import { hex32Schema } from "@/lib/proofs/hex";
import type { ProverSchema } from "./schema";

/** PostgreSQL schema of the journal. An app that shares the database has tables with the same names. */
const journalSchema = "prover_chain";

/** The transactions of our own key that settle payments. */
export class Settlements {
  readonly journal: Journal;

  constructor(readonly db: Kysely<ProverSchema>) {
    this.journal = new Journal(db.withTables<ChainTables>(), journalSchema);
  }

  /** Returns the journal id of the payment's open transaction. */
  async open(paymentId: Hex, db: Kysely<ProverSchema> = this.db): Promise<string | undefined> {
    const open = await db
      .selectFrom("settlement_transaction as s")
      .innerJoin("prover_chain.chain_transactions as t", "t.id", "s.transaction_id")
      .select("t.id")
      .where("s.payment_id", "=", paymentId)
      .where("t.state", "=", "open")
      .executeTakeFirst();
    return open?.id;
  }

  /**
   * Stores a transaction for a payment, unless the payment has an open one.
   * @param append stores it in the journal
   * @returns the journal id of the new or the open transaction
   */
  async begin(paymentId: Hex, append: (trx: Transaction<ChainTables>) => Promise<string>): Promise<string> {
    return await this.db.transaction().execute(async (trx) => {
      await trx
        .selectFrom("payment")
        .select("id")
        .where("id", "=", paymentId)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow();
      const open = await this.open(paymentId, trx);
      if (open !== undefined) return open;
      const id = await append(trx.withTables<ChainTables>());
      await trx
        .insertInto("settlement_transaction")
        .values({ transaction_id: id, payment_id: paymentId })
        .execute();
      return id;
    });
  }

  /** Returns the hashes of all transactions ever signed for a payment, newest first. */
  async hashes(paymentId: Hex): Promise<Hex[]> {
    const rows = await this.db
      .selectFrom("settlement_transaction as s")
      .innerJoin("prover_chain.chain_signatures as g", "g.transaction_id", "s.transaction_id")
      .select("g.hash")
      .where("s.payment_id", "=", paymentId)
      .orderBy("g.created_at", "desc")
      .execute();
    return rows.map(({ hash }) => hex32Schema.parse(hash));
  }

  /** Stores that a transaction failed on chain. */
  async reverted(hash: Hex): Promise<void> {
    await this.db
      .updateTable("settlement_transaction as s")
      .from("prover_chain.chain_signatures as g")
      .set({ reverted_at: new Date() })
      .whereRef("g.transaction_id", "=", "s.transaction_id")
      .where("g.hash", "=", hash)
      .where("s.reverted_at", "is", null)
      .execute();
  }

  /** Returns whether a settlement of this payer failed on chain since a point in time. */
  async hasReverted(payer: Address, since: Date): Promise<boolean> {
    const found = await this.db
      .selectFrom("settlement_transaction as s")
      .innerJoin("payment", "payment.id", "s.payment_id")
      .select("s.transaction_id")
      .where("payment.payer", "=", payer)
      .where("s.reverted_at", ">", since)
      .executeTakeFirst();
    return found !== undefined;
  }
}
