import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** How often a user is told what is new, and the address of a feed of their own, which only its hash remembers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table digests (
    user_id text primary key references users (id),
    every text not null check (every in ('day', 'week')),
    next_at timestamptz not null,
    last_told text
  )`,
  "create index digests_next on digests (next_at)",
  `create table private_feeds (
    user_id text primary key references users (id),
    token_hash text not null unique,
    created_at timestamptz not null
  )`,
];
