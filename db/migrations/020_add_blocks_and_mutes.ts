import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Whom a user blocked, and the topics they muted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table blocks (
    user_id text not null references users (id),
    blocked_id text not null references users (id),
    created_at timestamptz not null,
    primary key (user_id, blocked_id),
    check (user_id <> blocked_id)
  )`,
  // For a withdrawal, which deletes the blocks of its user.
  "create index blocks_blocked on blocks (blocked_id)",
  `create table topic_mutes (
    user_id text not null references users (id),
    topic_id uuid not null references topics (id) on delete cascade,
    created_at timestamptz not null,
    primary key (user_id, topic_id)
  )`,
  "create index topic_mutes_topic on topic_mutes (topic_id)",
];
