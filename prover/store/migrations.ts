import { type Kysely, sql } from "kysely";
import type { Migration, Migrations, Release } from "@/lib/sql/index";
import { chainJournal, refundJournal } from "./journal-migration";

/** Makes a migration of statements without values. */
function statements(kind: Migration["kind"], ...all: readonly string[]): Migration {
  return {
    kind,
    async up(db: Kysely<unknown>) {
      for (const statement of all) await sql.raw(statement).execute(db);
    },
  };
}

/** The prover's tables. Never edit a released migration: add another. */
export const migrations: Migrations = {
  "001_create_payments": statements(
    "expand",
    `create table payment (
      id text primary key,
      network text not null,
      chain_id bigint not null,
      asset text not null,
      payer text not null,
      pay_to text not null,
      authorization_nonce text not null,
      amount text not null,
      valid_before text not null,
      settlement text not null,
      circuit text not null,
      input_hash text not null,
      state text not null,
      failures integer not null default 0,
      from_block bigint not null,
      tx_hash text,
      raw_transaction text,
      job_token text not null unique,
      proof text,
      public_inputs text,
      timing text,
      created_at timestamptz not null,
      settled_at timestamptz,
      proven_at timestamptz,
      constraint payment_state check (state in ('accepted', 'settling', 'settled', 'credited', 'proven', 'void')),
      constraint payment_proven_has_proof check ((state = 'proven') = (proof is not null))
    )`,
    "create index payment_open on payment (state, created_at)",
    `create table nonce (
      nonce text primary key,
      circuit text not null,
      expires_at timestamptz not null,
      payment_id text
    )`,
    "create index nonce_expiry on nonce (expires_at)",
    `create table credit (
      payment_id text primary key references payment (id),
      payer text not null,
      network text not null,
      asset text not null,
      amount text not null,
      created_at timestamptz not null,
      redeemed_at timestamptz
    )`,
    "create index credit_payer on credit (payer, redeemed_at)",
  ),
  "002_share_work_between_processes": statements(
    "contract",
    "alter table payment drop constraint payment_proven_has_proof",
    // A proof is deleted after a day; its payment stays.
    "alter table payment add constraint payment_proof_is_proven check (proof is null or state = 'proven')",
    "alter table payment alter column authorization_nonce drop not null",
    "alter table payment alter column valid_before drop not null",
    `alter table payment
      add column delivered_at timestamptz,
      add column owner text,
      add column queued_at timestamptz,
      add column progress text`,
    "create index payment_owner on payment (owner)",
    "create index payment_kept_proof on payment (proven_at) where proof is not null",
    `create table outbox (
      hash text primary key,
      payment_id text not null references payment (id),
      chain_id bigint not null,
      account text not null,
      tx_nonce bigint not null,
      raw text not null,
      created_at timestamptz not null,
      closed_at timestamptz
    )`,
    "create index outbox_payment on outbox (payment_id)",
    "create index outbox_account on outbox (chain_id, account, tx_nonce)",
    "create index outbox_open on outbox (created_at) where closed_at is null",
    // Transactions of earlier versions are found on chain by their authorization, or settled again with it.
    "alter table payment drop column raw_transaction",
    `create table instance (
      id text primary key,
      public_key text not null,
      parallel integer not null,
      started_at timestamptz not null,
      alive_until timestamptz not null
    )`,
  ),
  "003_record_settlement_logs": statements(
    "expand",
    "alter table payment add column log_index integer",
    // Nulls do not collide, so earlier rows keep theirs: their transfer cannot belong to another nonce.
    "create unique index payment_transfer on payment (chain_id, tx_hash, log_index)",
  ),
  "004_index_open_payments": statements(
    "expand",
    "create index payment_unsettled on payment (payer) where state in ('accepted', 'settling')",
  ),
  "005_mark_reverted_settlements": statements(
    "expand",
    "alter table outbox add column reverted_at timestamptz",
    "create index outbox_reverted on outbox (reverted_at) where reverted_at is not null",
  ),
  // Price lists, copied transfers, uses of credits and refunds.
  "006_keep_books": statements(
    "contract",
    "alter table payment drop constraint payment_state",
    `alter table payment add constraint payment_state check
      (state in ('accepted', 'settling', 'settled', 'credited', 'proven', 'refunded', 'void'))`,
    // Nonces authenticate themselves from here on: only those that a payment used have a row.
    "delete from nonce where payment_id is null",
    `create table price_list (
      id serial primary key,
      offers text not null unique,
      seen_at timestamptz not null
    )`,
    `create table credit_use (
      authorization_id text primary key,
      payment_id text not null references payment (id),
      used_at timestamptz not null
    )`,
    `create table transfer (
      chain_id bigint not null,
      tx_hash text not null,
      log_index integer not null,
      asset text not null,
      payer text not null,
      pay_to text not null,
      amount text not null,
      block bigint not null,
      at timestamptz not null,
      constraint transfer_pk primary key (chain_id, tx_hash, log_index)
    )`,
    "create index transfer_block on transfer (chain_id, asset, pay_to, block)",
    `create table transfer_cursor (
      chain_id bigint not null,
      asset text not null,
      pay_to text not null,
      next_block bigint not null,
      constraint transfer_cursor_pk primary key (chain_id, asset, pay_to)
    )`,
    `create table refund (
      id text primary key,
      chain_id bigint not null,
      asset text not null,
      payee text not null,
      amount text not null,
      tx_hash text not null,
      raw text,
      created_at timestamptz not null,
      confirmed_at timestamptz,
      constraint refund_transaction unique (chain_id, tx_hash)
    )`,
  ),
  // Replaces job tokens with their SHA-256; clients' tokens remain valid.
  "007_hash_job_tokens": statements(
    "contract",
    // Changing the type rewrites the table; an update would leave the old rows in its file until a vacuum.
    `alter table payment alter column job_token type text
      using encode(sha256(convert_to(job_token, 'UTF8')), 'hex')`,
    // Renamed so that no process of an earlier release mistakes a hash for a token.
    "alter table payment rename column job_token to job_token_hash",
  ),
  "008_journal_transactions": chainJournal,
  "009_journal_refunds": refundJournal,
  "010_share_one_queue": statements(
    "contract",
    // Queues of single processes, with inputs that nobody can decrypt any more. pg-boss makes its tables again.
    "drop schema if exists pgboss cascade",
    "update payment set queued_at = null, owner = null where queued_at is not null",
    "alter table payment add column queue_job uuid",
    "create unique index payment_queue_job on payment (queue_job)",
    "create index payment_at_work on payment (owner) where owner is not null or queued_at is not null",
  ),
  // Without a default, so that a process of an earlier release cannot register: it would get no job's inputs.
  "011_authenticate_processes": statements(
    "contract",
    "delete from instance",
    "alter table instance add column public_key_mac text not null",
  ),
  "012_name_purchases": statements(
    "expand",
    "alter table payment add column identifier_hash text",
    "create unique index payment_identifier on payment (identifier_hash)",
    "create index payment_purchases on payment (payer, settled_at)",
    "create index payment_settled on payment (settled_at)",
    "create table sign_in (nonce text primary key, expires_at timestamptz not null)",
    "create index sign_in_expiry on sign_in (expires_at)",
  ),
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

/** What this release brings the prover's database to. */
export const proverRelease: Release = { program: "prover", migrations, renamed: renamedMigrations };
