import { type Kysely, sql } from "kysely";

export const kind = "expand";

/**
 * Numbers the posts of a topic in the order in which readers can see them, and leaves room for the number of comments.
 * Posts of before have 0, which counts as read by everyone. The previous release writes null, and this one numbers that
 * (lib/community/numbering.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

// With a default that goes again: rows of before have it without being rewritten, and new ones start without a number.
const statements = [
  `alter table posts
    add column if not exists position bigint default 0,
    add column if not exists comment_position bigint not null default 0`,
  "alter table posts alter column position drop default",
  "alter table topics add column if not exists post_position bigint not null default 0",
];
