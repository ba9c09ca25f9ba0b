import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** What is said anonymously: its proofs, the bans of its authors, and the author that stands for all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Existing topics decide themselves; the app makes new ones with "on".
  `alter table topics add column anonymous text not null default 'off'
    check (anonymous in ('off', 'comments', 'on'))`,
  // Withdrawn from the beginning: nobody signs in as it, is told for it, mentions, blocks or bans it.
  `insert into users (id, nickname, nickname_key, nickname_set, created_at, deleted_at)
    values ('anonymous', 'Anonymous', '[anonymous]', false, to_timestamp(0), to_timestamp(0))`,
  // No time and no order of its own. Nullifiers are of one member and one topic.
  `create table anonymous_acts (
    id uuid primary key default gen_random_uuid(),
    topic_id uuid not null references topics (id) on delete cascade,
    post_id uuid not null references posts (id) on delete cascade,
    comment_id uuid references comments (id) on delete cascade,
    slot_nullifier text not null,
    scope_nullifier text not null,
    signal text not null,
    root integer not null,
    week integer not null,
    tag text not null,
    public_inputs text[] not null,
    proof bytea not null,
    unique (topic_id, slot_nullifier)
  )`,
  "create unique index anonymous_acts_post on anonymous_acts (post_id) where comment_id is null",
  "create unique index anonymous_acts_comment on anonymous_acts (comment_id)",
  "create index anonymous_acts_thread on anonymous_acts (post_id, scope_nullifier)",
  `create table anonymous_bans (
    id uuid primary key default gen_random_uuid(),
    topic_id uuid not null references topics (id) on delete cascade,
    week integer not null,
    tag text not null,
    created_at timestamptz not null,
    ends_at timestamptz not null,
    post_id uuid references posts (id) on delete set null,
    comment_id uuid references comments (id) on delete set null
  )`,
  "create index anonymous_bans_topic on anonymous_bans (topic_id, ends_at)",
  "create index anonymous_bans_post on anonymous_bans (post_id)",
  "create index anonymous_bans_comment on anonymous_bans (comment_id)",
];
