import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Apps that people sign in to with Parley, and the keys that sign what they are told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table apps (
    client_id uuid primary key default gen_random_uuid(),
    user_id text not null references users (id),
    name text not null,
    kind text not null check (kind in ('server', 'browser')),
    redirect_uris text[] not null,
    secret_version integer not null default 1,
    created_at timestamptz not null
  )`,
  "create index apps_user on apps (user_id)",
  `create table app_signing_keys (
    number integer primary key,
    sealed text not null,
    created_at timestamptz not null
  )`,
];
