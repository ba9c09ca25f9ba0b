import { type Kysely, sql } from "kysely";

export const kind = "expand";

/**
 * Domains shown in one topic only, or beside new content only. A table of its own: the previous release, which shows
 * every row of `domain_badges` everywhere, shows none of these.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table limited_badges (
    user_id text not null references users (id),
    domain text not null,
    domain_tag text not null,
    topic_id uuid references topics (id) on delete cascade,
    since timestamptz,
    created_at timestamptz not null,
    unique nulls not distinct (user_id, domain, topic_id),
    check (topic_id is not null or since is not null)
  )`,
  "create index limited_badges_topic on limited_badges (topic_id) where topic_id is not null",
];
