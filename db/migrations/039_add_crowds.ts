import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Crowds: the leaves that members enrol in a topic, and the roots published of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table crowds (
    topic_id uuid primary key references topics (id) on delete cascade,
    number integer not null,
    places integer not null,
    change_at timestamptz
  )`,
  "create index crowds_change on crowds (change_at) where change_at is not null",
  // The identity outlives a withdrawn account, so that returning is a replacement, too.
  `create table crowd_leaves (
    id uuid primary key default gen_random_uuid(),
    topic_id uuid not null references topics (id) on delete cascade,
    leaf text not null,
    user_id text references users (id),
    identity_hash text,
    enrolled_at timestamptz not null,
    counts_from timestamptz not null,
    withdrawn_at timestamptz,
    place integer,
    entered integer,
    gone integer,
    unique (topic_id, place)
  )`,
  "create unique index crowd_leaves_live on crowd_leaves (topic_id, user_id) where withdrawn_at is null",
  "create index crowd_leaves_leaf on crowd_leaves (topic_id, leaf)",
  "create index crowd_leaves_user on crowd_leaves (user_id)",
  "create index crowd_leaves_identity on crowd_leaves (topic_id, identity_hash)",
  `create table crowd_roots (
    topic_id uuid not null references topics (id) on delete cascade,
    number integer not null,
    root text not null,
    size integer not null,
    published_at timestamptz not null,
    hash text not null,
    primary key (topic_id, number)
  )`,
];
