import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Numbers the comments of a post, as 026 does the posts of a topic. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table comments add column if not exists position bigint default 0",
  "alter table comments alter column position drop default",
];
