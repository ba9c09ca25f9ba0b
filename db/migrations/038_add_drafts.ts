import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Drafts that their writers keep for their other devices, and posts that wait for their time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table drafts (
    user_id text not null references users (id),
    topic_id uuid not null references topics (id) on delete cascade,
    content jsonb not null,
    version integer not null,
    updated_at timestamptz not null,
    primary key (user_id, topic_id)
  )`,
  "create index drafts_topic on drafts (topic_id)",
  "create index drafts_age on drafts (updated_at)",
  `create table scheduled_posts (
    id uuid primary key default gen_random_uuid(),
    user_id text not null references users (id),
    topic_id uuid not null references topics (id) on delete cascade,
    content jsonb not null,
    publish_at timestamptz not null,
    problem text,
    created_at timestamptz not null
  )`,
  "create index scheduled_posts_user on scheduled_posts (user_id, publish_at)",
  "create index scheduled_posts_topic on scheduled_posts (topic_id)",
  "create index scheduled_posts_due on scheduled_posts (publish_at, id) where problem is null",
];
