import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Whom a user follows. Nobody else sees it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table follows (
    user_id text not null references users (id),
    followed_id text not null references users (id),
    created_at timestamptz not null,
    primary key (user_id, followed_id),
    check (user_id <> followed_id)
  )`,
  // For a withdrawal, which deletes the follows of its user.
  "create index follows_followed on follows (followed_id)",
];
