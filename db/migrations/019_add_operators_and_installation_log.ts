import { type Kysely, sql } from "kysely";

export const kind = "expand";

/**
 * The log of the installation, operators, and what they impose on accounts and topics. A topic's log no longer goes with
 * the topic.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table installation_log (
    seq int primary key check (seq > 0),
    at timestamptz not null,
    action text not null,
    role text not null,
    -- The log is public and says actor, a hash of nonce and id.
    actor_id text not null references users (id),
    actor_nonce text not null,
    actor text not null,
    target_kind text not null,
    target_id text not null,
    topic_id uuid,
    reason text,
    details jsonb not null,
    previous_hash text not null,
    hash text not null
  )`,
  "create index installation_log_actor on installation_log (actor_id)",
  // Number and hash of the last entry; its lock queues the writers.
  `create table installation_log_head (
    id smallint primary key check (id = 1),
    seq int not null,
    hash text not null
  )`,
  "insert into installation_log_head (id, seq, hash) values (1, 0, repeat('0', 64))",
  // Heads that are on the chain, one a day at most.
  `create table installation_log_records (
    day date primary key,
    seq int not null,
    hash text not null,
    status text not null check (status in ('sent', 'confirmed', 'failed')),
    transaction_id uuid,
    tx_hash text
  )`,
  "create index installation_log_records_transaction on installation_log_records (transaction_id)",
  "alter table moderation_log drop constraint moderation_log_topic_id_fkey",
  `create table operators (
    user_id text primary key references users (id),
    role text not null check (role in ('operator', 'reviewer')),
    granted_by text not null references users (id),
    granted_at timestamptz not null
  )`,
  "create index operators_granted_by on operators (granted_by)",
  // By identity, so that nobody escapes one by withdrawing and signing in again.
  `create table account_sanctions (
    identity_hash text not null,
    kind text not null check (kind in ('silence', 'suspend')),
    user_id text not null references users (id),
    reason text not null,
    created_at timestamptz not null,
    created_by text not null references users (id),
    until timestamptz,
    primary key (identity_hash, kind)
  )`,
  "create index account_sanctions_user on account_sanctions (user_id)",
  "create index account_sanctions_created_by on account_sanctions (created_by)",
  "alter table topics add column frozen_at timestamptz",
];
