import { type Kysely, sql } from "kysely";
import type { Migrations } from "@/lib/sql/index";

/** Price lists, copied transfers, uses of credits and paybacks. */
export const books: Migrations[string] = {
  async up(db: Kysely<unknown>) {
    await sql`alter table payment drop constraint payment_state`.execute(db);
    await sql`alter table payment add constraint payment_state check
        (state in ('accepted', 'settling', 'settled', 'credited', 'proven', 'refunded', 'void'))`.execute(db);
    // Nonces carry their own proof of origin now: only those that a payment used have a row.
    await sql`delete from nonce where payment_id is null`.execute(db);
    await db.schema
      .createTable("price_list")
      .addColumn("id", "serial", (c) => c.primaryKey())
      .addColumn("offers", "text", (c) => c.notNull().unique())
      .addColumn("seen_at", "timestamptz", (c) => c.notNull())
      .execute();
    await db.schema
      .createTable("credit_use")
      .addColumn("authorization_id", "text", (c) => c.primaryKey())
      .addColumn("payment_id", "text", (c) => c.notNull().references("payment.id"))
      .addColumn("used_at", "timestamptz", (c) => c.notNull())
      .execute();
    await db.schema
      .createTable("transfer")
      .addColumn("chain_id", "bigint", (c) => c.notNull())
      .addColumn("tx_hash", "text", (c) => c.notNull())
      .addColumn("log_index", "integer", (c) => c.notNull())
      .addColumn("asset", "text", (c) => c.notNull())
      .addColumn("payer", "text", (c) => c.notNull())
      .addColumn("pay_to", "text", (c) => c.notNull())
      .addColumn("amount", "text", (c) => c.notNull())
      .addColumn("block", "bigint", (c) => c.notNull())
      .addColumn("at", "timestamptz", (c) => c.notNull())
      .addPrimaryKeyConstraint("transfer_pk", ["chain_id", "tx_hash", "log_index"])
      .execute();
    await db.schema
      .createIndex("transfer_block")
      .on("transfer")
      .columns(["chain_id", "asset", "pay_to", "block"])
      .execute();
    await db.schema
      .createTable("transfer_cursor")
      .addColumn("chain_id", "bigint", (c) => c.notNull())
      .addColumn("asset", "text", (c) => c.notNull())
      .addColumn("pay_to", "text", (c) => c.notNull())
      .addColumn("next_block", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("transfer_cursor_pk", ["chain_id", "asset", "pay_to"])
      .execute();
    await db.schema
      .createTable("refund")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("chain_id", "bigint", (c) => c.notNull())
      .addColumn("asset", "text", (c) => c.notNull())
      .addColumn("payee", "text", (c) => c.notNull())
      .addColumn("amount", "text", (c) => c.notNull())
      .addColumn("tx_hash", "text", (c) => c.notNull())
      .addColumn("raw", "text")
      .addColumn("created_at", "timestamptz", (c) => c.notNull())
      .addColumn("confirmed_at", "timestamptz")
      .addUniqueConstraint("refund_transaction", ["chain_id", "tx_hash"])
      .execute();
  },
};
