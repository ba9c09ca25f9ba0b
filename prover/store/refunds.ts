import type { Kysely, Selectable, Transaction } from "kysely";
import type { Hex } from "viem";
import type { Credits } from "./credits";
import type { Owed } from "./owed";
import type { ProverSchema, RefundTable } from "./schema";
import { transferWithoutPayment } from "./transfers";

export type RefundRow = Selectable<RefundTable>;

/** The transaction that pays back: signed by us and not sent yet, or one the operator made. */
export interface Payback {
  hash: Hex;
  raw: Hex | null;
}

/** Paybacks. Each is written down before its transaction leaves, in the transaction that ends the claim to a proof. */
export class Refunds {
  constructor(
    readonly db: Kysely<ProverSchema>,
    readonly credits: Credits,
  ) {}

  async find(id: string): Promise<RefundRow | undefined> {
    return await this.db.selectFrom("refund").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** Paybacks whose transaction is not known to be mined. */
  async open(): Promise<RefundRow[]> {
    return await this.db.selectFrom("refund").selectAll().where("confirmed_at", "is", null).execute();
  }

  /**
   * Decides to pay back, once: from here on the payment buys no proof any more.
   * @param id a payment's, or `<chain>:<transaction>:<position>` of a transfer
   * @param pay makes the transaction, or finds it
   * @throws NothingOwedError
   */
  async begin(id: string, pay: (owed: Owed) => Promise<Payback>): Promise<RefundRow> {
    return await this.db.transaction().execute(async (trx) => {
      const owed = id.includes(":")
        ? await transferWithoutPayment(trx, id)
        : await this.credits.refundable(trx, id);
      const { hash, raw } = await pay(owed);
      const now = new Date();
      return await trx
        .insertInto("refund")
        .values({
          ...{ id, chain_id: owed.chainId, asset: owed.asset, payee: owed.payee, amount: owed.amount },
          ...{ tx_hash: hash, raw, created_at: now, confirmed_at: raw === null ? now : null },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  async confirm(id: string): Promise<void> {
    await this.db.updateTable("refund").set({ confirmed_at: new Date() }).where("id", "=", id).execute();
  }

  /** The transaction failed on chain: what it was to pay back is owed again. */
  async fail(row: RefundRow): Promise<void> {
    await this.db.transaction().execute(async (trx: Transaction<ProverSchema>) => {
      const gone = await trx
        .deleteFrom("refund")
        .where("id", "=", row.id)
        .where("confirmed_at", "is", null)
        .executeTakeFirst();
      if (gone.numDeletedRows > 0n && !row.id.includes(":")) await this.credits.owedAgain(trx, row.id);
    });
  }
}
