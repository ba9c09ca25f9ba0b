import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Limits that count by identity, so that withdrawing and signing in again sheds none, and names that look alike. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

// Without foreign keys: an identity has no row of its own, and an account that withdraws keeps none of these.
const statements = [
  `create table identity_days (
    identity_hash text not null,
    kind text not null,
    day date not null,
    count integer not null,
    primary key (identity_hash, kind, day)
  )`,
  "create index identity_days_day on identity_days (day)",
  `create table recent_texts (
    identity_hash text not null,
    text_hash text not null,
    post_id uuid,
    comment_id uuid,
    written_at timestamptz not null,
    primary key (identity_hash, text_hash)
  )`,
  "create index recent_texts_written on recent_texts (written_at)",
  `create table topic_paces (
    topic_id uuid not null references topics (id) on delete cascade,
    identity_hash text not null,
    written_at timestamptz not null,
    primary key (topic_id, identity_hash)
  )`,
  "create index topic_paces_written on topic_paces (written_at)",
  // UTS 39: m looks like rn. The stored looks keep their form, which the previous release writes too.
  `create index if not exists users_nickname_look on users (replace(nickname_skeleton, 'm', 'rn'))
    where nickname_skeleton is not null`,
  `create index if not exists freed_nicknames_look on freed_nicknames (replace(skeleton, 'm', 'rn'))`,
];
