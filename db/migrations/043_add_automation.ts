import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Tokens for automation, each with the session that makes it valid, and what was written with one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table automation_tokens (
    session_id uuid primary key references sessions (id) on delete cascade,
    user_id text not null references users (id),
    name text not null,
    scopes text[] not null,
    topic_ids uuid[],
    spend_cap integer not null check (spend_cap >= 0),
    spent integer not null default 0 check (spent between 0 and spend_cap)
  )`,
  "create index automation_tokens_user on automation_tokens (user_id)",
  ...["posts", "comments", "chat_messages", "scheduled_posts"].map(
    (table) => `alter table ${table} add column automated boolean not null default false`,
  ),
];
