import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** What writers add to a counter while another writer has its row; lib/community/counters.ts adds it up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

// Without foreign keys: their check would wait for whoever locks the row.
const statements = [
  `create table topic_deltas (
    topic_id uuid not null,
    posts integer not null,
    active_at timestamptz
  )`,
  "create index topic_deltas_by_topic on topic_deltas (topic_id)",
  `create table post_deltas (
    post_id uuid not null,
    comments integer not null,
    votes integer not null,
    active_at timestamptz
  )`,
  "create index post_deltas_by_post on post_deltas (post_id)",
];
