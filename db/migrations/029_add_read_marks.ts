import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** How far members have read: one row per topic, and one per post whose comments they opened. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

// A membership takes what its member has read with it.
const statements = [
  `create table topic_reads (
    user_id text not null,
    topic_id uuid not null,
    post_position bigint not null check (post_position >= 0),
    chat_position bigint not null check (chat_position >= 0),
    read_at timestamptz not null,
    primary key (user_id, topic_id),
    foreign key (topic_id, user_id) references memberships (topic_id, user_id) on delete cascade
  )`,
  "create index topic_reads_topic on topic_reads (topic_id, user_id)",
  `create table thread_reads (
    user_id text not null,
    post_id uuid not null references posts (id) on delete cascade,
    topic_id uuid not null,
    position bigint not null check (position >= 0),
    read_at timestamptz not null,
    primary key (user_id, post_id),
    foreign key (topic_id, user_id) references memberships (topic_id, user_id) on delete cascade
  )`,
  "create index thread_reads_topic on thread_reads (topic_id, user_id)",
  "create index thread_reads_post on thread_reads (post_id)",
  "create index thread_reads_recent on thread_reads (user_id, read_at)",
  "create index thread_reads_age on thread_reads (read_at)",
  // Where the chats of before stood: everyone has read that far.
  `create table chat_starts (
    topic_id uuid primary key references chat_rooms (topic_id) on delete cascade,
    position bigint not null
  )`,
  "insert into chat_starts (topic_id, position) select topic_id, last_position from chat_rooms",
];
