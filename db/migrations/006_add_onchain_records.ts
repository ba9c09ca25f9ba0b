import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** On-chain records of posts, and all transactions of the service's wallets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A process locks a wallet's row to sign with it: all processes share its nonces.
  `create table chain_wallets (
    chain_id int not null,
    address text not null,
    next_nonce bigint not null check (next_nonce >= 0),
    primary key (chain_id, address)
  )`,
  // Inserted before a transaction is sent, and never deleted: its nonce has to be used, whatever happens to its
  // record.
  `create table chain_transactions (
    id uuid primary key default gen_random_uuid(),
    chain_id int not null,
    wallet text not null,
    nonce bigint not null,
    recipient text not null,
    data text not null,
    gas bigint not null,
    state text not null default 'open' check (state in ('open', 'succeeded', 'failed', 'lost')),
    created_at timestamptz not null,
    -- Since when its number is used up without any of its signatures having been found.
    missing_since timestamptz,
    mined_hash text,
    block_number bigint,
    foreign key (chain_id, wallet) references chain_wallets (chain_id, address),
    unique (chain_id, wallet, nonce)
  )`,
  "create index chain_transactions_open on chain_transactions (chain_id, wallet, nonce) where state = 'open'",
  // A replacement with a higher fee is another signature of the same transaction.
  `create table chain_signatures (
    hash text primary key,
    transaction_id uuid not null references chain_transactions (id),
    raw text not null,
    max_fee_per_gas text not null,
    max_priority_fee_per_gas text not null,
    created_at timestamptz not null
  )`,
  "create index chain_signatures_transaction on chain_signatures (transaction_id, created_at)",
  `create table records (
    id uuid primary key default gen_random_uuid(),
    post_id uuid not null references posts (id) on delete cascade,
    recorder_id text not null references users (id),
    content_hash text not null,
    -- UTC: what it counts for.
    day date not null,
    status text not null check (status in ('sent', 'confirmed', 'failed')),
    transaction_id uuid not null unique references chain_transactions (id),
    tx_hash text,
    block_number bigint,
    created_at timestamptz not null,
    confirmed_at timestamptz,
    check ((status = 'confirmed') = (confirmed_at is not null))
  )`,
  "create unique index records_once on records (post_id, recorder_id) where status <> 'failed'",
  "create index records_post on records (post_id, created_at, id)",
  "create index records_recorder on records (recorder_id, created_at, post_id) where status = 'confirmed'",
  `create table record_days (
    user_id text not null references users (id),
    day date not null,
    count int not null check (count between 0 and 3),
    primary key (user_id, day)
  )`,
  "alter table posts add column last_recorded_at timestamptz",
  `create index posts_recorded on posts (author_id, last_recorded_at, id)
    where last_recorded_at is not null and deleted_at is null`,
];
