import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** How fresh a member's proof must be, what a topic asks of those who write, and which accounts are limited longer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table users add column consumer_mail boolean not null default false",
  `alter table topics
    add column reprove_days integer check (reprove_days in (30, 90, 365)),
    add column slow_mode_seconds integer check (slow_mode_seconds between 1 and 86400),
    add column links_after_posts integer not null default 0 check (links_after_posts between 0 and 100),
    add column rules text,
    add column review_words text[] not null default '{}'`,
  // A member of before has null, which counts as the time of joining: updating every row would hold the table.
  `alter table memberships
    add column proven_at timestamptz,
    add column if not exists reprove_by timestamptz,
    add column reprove_told smallint not null default 0`,
  "create index if not exists memberships_reprove on memberships (reprove_by) where reprove_by is not null",
];
