import { type Kysely, sql } from "kysely";
import type { Migrations } from "@/lib/sql/index";
import { chainJournal, refundJournal } from "./journal-migration";

/** Price lists, copied transfers, uses of credits and refunds. */
const books: Migrations[string] = {
  async up(db: Kysely<unknown>) {
    await sql`alter table payment drop constraint payment_state`.execute(db);
    await sql`alter table payment add constraint payment_state check
        (state in ('accepted', 'settling', 'settled', 'credited', 'proven', 'refunded', 'void'))`.execute(db);
    // Nonces authenticate themselves from here on: only those that a payment used have a row.
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

/** Replaces job tokens with their SHA-256; clients' tokens remain valid. */
const jobTokenHashes: Migrations[string] = {
  async up(db: Kysely<unknown>) {
    // Changing the type rewrites the table; an update would leave the old rows in its file until a vacuum.
    await sql`alter table payment alter column job_token type text
      using encode(sha256(convert_to(job_token, 'UTF8')), 'hex')`.execute(db);
    // Renamed so that no process of an earlier release mistakes a hash for a token.
    await db.schema.alterTable("payment").renameColumn("job_token", "job_token_hash").execute();
  },
};

/** The prover's tables. Never edit a released migration: add another. */
export const migrations: Migrations = {
  "001_create_payments": {
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
  "002_share_work_between_processes": {
    async up(db: Kysely<unknown>) {
      await sql`alter table payment drop constraint payment_proven_has_proof`.execute(db);
      // A proof is deleted after a day; its payment stays.
      await sql`alter table payment add constraint payment_proof_is_proven
        check (proof is null or state = 'proven')`.execute(db);
      await db.schema
        .alterTable("payment")
        .alterColumn("authorization_nonce", (c) => c.dropNotNull())
        .execute();
      await db.schema
        .alterTable("payment")
        .alterColumn("valid_before", (c) => c.dropNotNull())
        .execute();
      await db.schema
        .alterTable("payment")
        .addColumn("delivered_at", "timestamptz")
        .addColumn("owner", "text")
        .addColumn("queued_at", "timestamptz")
        .addColumn("progress", "text")
        .execute();
      await db.schema.createIndex("payment_owner").on("payment").column("owner").execute();
      await sql`create index payment_kept_proof on payment (proven_at) where proof is not null`.execute(db);
      await db.schema
        .createTable("outbox")
        .addColumn("hash", "text", (c) => c.primaryKey())
        .addColumn("payment_id", "text", (c) => c.notNull().references("payment.id"))
        .addColumn("chain_id", "bigint", (c) => c.notNull())
        .addColumn("account", "text", (c) => c.notNull())
        .addColumn("tx_nonce", "bigint", (c) => c.notNull())
        .addColumn("raw", "text", (c) => c.notNull())
        .addColumn("created_at", "timestamptz", (c) => c.notNull())
        .addColumn("closed_at", "timestamptz")
        .execute();
      await db.schema.createIndex("outbox_payment").on("outbox").column("payment_id").execute();
      await db.schema
        .createIndex("outbox_account")
        .on("outbox")
        .columns(["chain_id", "account", "tx_nonce"])
        .execute();
      await sql`create index outbox_open on outbox (created_at) where closed_at is null`.execute(db);
      // Transactions of earlier versions are found on chain by their authorization, or settled again with it.
      await db.schema.alterTable("payment").dropColumn("raw_transaction").execute();
      await db.schema
        .createTable("instance")
        .addColumn("id", "text", (c) => c.primaryKey())
        .addColumn("public_key", "text", (c) => c.notNull())
        .addColumn("parallel", "integer", (c) => c.notNull())
        .addColumn("started_at", "timestamptz", (c) => c.notNull())
        .addColumn("alive_until", "timestamptz", (c) => c.notNull())
        .execute();
    },
  },
  "003_record_settlement_logs": {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable("payment").addColumn("log_index", "integer").execute();
      // Nulls do not collide, so earlier rows keep theirs: their transfer cannot belong to another nonce.
      await db.schema
        .createIndex("payment_transfer")
        .on("payment")
        .columns(["chain_id", "tx_hash", "log_index"])
        .unique()
        .execute();
    },
  },
  "004_index_open_payments": {
    async up(db: Kysely<unknown>) {
      await sql`create index payment_unsettled on payment (payer) where state in ('accepted', 'settling')`.execute(
        db,
      );
    },
  },
  "005_mark_reverted_settlements": {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable("outbox").addColumn("reverted_at", "timestamptz").execute();
      await sql`create index outbox_reverted on outbox (reverted_at) where reverted_at is not null`.execute(
        db,
      );
    },
  },
  "006_keep_books": books,
  "007_hash_job_tokens": jobTokenHashes,
  "008_journal_transactions": chainJournal,
  "009_journal_refunds": refundJournal,
  "010_share_one_queue": {
    async up(db: Kysely<unknown>) {
      // Queues of single processes, with inputs that nobody can decrypt any more. pg-boss makes its tables again.
      await sql`drop schema if exists pgboss cascade`.execute(db);
      await sql`update payment set queued_at = null, owner = null where queued_at is not null`.execute(db);
      await db.schema.alterTable("payment").addColumn("queue_job", "uuid").execute();
      await sql`create unique index payment_queue_job on payment (queue_job)`.execute(db);
      await sql`create index payment_at_work on payment (owner) where owner is not null or queued_at is not null`.execute(
        db,
      );
    },
  },
};

/** Names that releases before 0.2.0 recorded. */
export const renamedMigrations: Readonly<Record<string, string>> = {
  "001_payments": "001_create_payments",
  "002_sharing": "002_share_work_between_processes",
  "003_settlement_log": "003_record_settlement_logs",
  "004_open_payments": "004_index_open_payments",
  "004_reverted_settlements": "005_mark_reverted_settlements",
  "005_books": "006_keep_books",
  "006_job_token_hashes": "007_hash_job_tokens",
};
