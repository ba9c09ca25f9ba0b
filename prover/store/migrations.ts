import { type Kysely, sql } from "kysely";
import type { Migrations } from "@/lib/sql/index";

/** The prover's tables. A migration that was released is never edited: add another. */
export const migrations: Migrations = {
  "001_payments": {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("payment")
        .addColumn("id", "text", (c) => c.primaryKey())
        .addColumn("network", "text", (c) => c.notNull())
        .addColumn("chain_id", "bigint", (c) => c.notNull())
        .addColumn("asset", "text", (c) => c.notNull())
        .addColumn("payer", "text", (c) => c.notNull())
        .addColumn("pay_to", "text", (c) => c.notNull())
        .addColumn("authorization_nonce", "text", (c) => c.notNull())
        .addColumn("amount", "text", (c) => c.notNull())
        .addColumn("valid_before", "text", (c) => c.notNull())
        .addColumn("settlement", "text", (c) => c.notNull())
        .addColumn("circuit", "text", (c) => c.notNull())
        .addColumn("input_hash", "text", (c) => c.notNull())
        .addColumn("state", "text", (c) => c.notNull())
        .addColumn("failures", "integer", (c) => c.notNull().defaultTo(0))
        .addColumn("from_block", "bigint", (c) => c.notNull())
        .addColumn("tx_hash", "text")
        .addColumn("raw_transaction", "text")
        .addColumn("job_token", "text", (c) => c.notNull().unique())
        .addColumn("proof", "text")
        .addColumn("public_inputs", "text")
        .addColumn("timing", "text")
        .addColumn("created_at", "timestamptz", (c) => c.notNull())
        .addColumn("settled_at", "timestamptz")
        .addColumn("proven_at", "timestamptz")
        .addCheckConstraint(
          "payment_state",
          sql`state in ('accepted', 'settling', 'settled', 'credited', 'proven', 'void')`,
        )
        .addCheckConstraint("payment_proven_has_proof", sql`(state = 'proven') = (proof is not null)`)
        .execute();
      await db.schema.createIndex("payment_open").on("payment").columns(["state", "created_at"]).execute();
      await db.schema
        .createTable("nonce")
        .addColumn("nonce", "text", (c) => c.primaryKey())
        .addColumn("circuit", "text", (c) => c.notNull())
        .addColumn("expires_at", "timestamptz", (c) => c.notNull())
        .addColumn("payment_id", "text")
        .execute();
      await db.schema.createIndex("nonce_expiry").on("nonce").column("expires_at").execute();
      await db.schema
        .createTable("credit")
        .addColumn("payment_id", "text", (c) => c.primaryKey().references("payment.id"))
        .addColumn("payer", "text", (c) => c.notNull())
        .addColumn("network", "text", (c) => c.notNull())
        .addColumn("asset", "text", (c) => c.notNull())
        .addColumn("amount", "text", (c) => c.notNull())
        .addColumn("created_at", "timestamptz", (c) => c.notNull())
        .addColumn("redeemed_at", "timestamptz")
        .execute();
      await db.schema.createIndex("credit_payer").on("credit").columns(["payer", "redeemed_at"]).execute();
    },
  },
};
