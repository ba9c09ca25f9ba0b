import { type Kysely, sql } from "kysely";

export const kind = "expand";

/**
 * What waits for review, the staff's notes on members, offers of ownership, and entries of the log that nobody's act
 * made. The previous release reads a topic's log together with the users who acted, so it leaves those entries out.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const waits = "hidden_at is not null and hidden_by is null and deleted_at is null";

const statements = [
  `create table staff_notes (
    id uuid primary key default gen_random_uuid(),
    topic_id uuid not null references topics (id) on delete cascade,
    user_id text not null references users (id),
    author_id text not null references users (id),
    note text not null,
    created_at timestamptz not null
  )`,
  "create index staff_notes_list on staff_notes (topic_id, user_id, created_at)",
  "create index staff_notes_user on staff_notes (user_id)",
  // One offer of a topic, to someone who is a member for as long as it is open.
  `create table ownership_offers (
    topic_id uuid primary key references topics (id) on delete cascade,
    user_id text not null,
    offered_by text not null references users (id),
    offered_at timestamptz not null,
    expires_at timestamptz not null,
    foreign key (topic_id, user_id) references memberships (topic_id, user_id) on delete cascade
  )`,
  "create index ownership_offers_user on ownership_offers (user_id, topic_id)",
  "alter table moderation_log alter column actor_id drop not null",
  `create index if not exists posts_waiting on posts (topic_id) where ${waits}`,
  `create index if not exists comments_waiting on comments (post_id) where ${waits}`,
  `create index if not exists chat_messages_waiting on chat_messages (topic_id) where ${waits}`,
];
