import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Votes on comments, their sum, and the order of the best: most votes first, then the oldest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table comment_votes (
    comment_id uuid not null references comments (id) on delete cascade,
    user_id text not null references users (id),
    value smallint not null check (value in (-1, 1)),
    created_at timestamptz not null,
    primary key (comment_id, user_id)
  )`,
  "create index comment_votes_user on comment_votes (user_id, created_at, comment_id)",
  "alter table comments add column upvote_count integer not null default 0",
  // Whole numbers below 2^53, which are exact (lib/community/comments/load.ts).
  `create index comments_best on comments
    (post_id, (upvote_count::float8 * 4294967296 - coalesce(position, 2147483647)) desc, id desc)`,
];
