import { type Kysely, sql } from "kysely";

/**
 * Files of hidden posts are out of reach until the post is shown again. What is to be is in `withheld`; `moving` until the
 * file is where that says.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table uploads
    add column withheld boolean not null default false,
    add column moving boolean not null default false`.execute(db);
  await sql`create index uploads_moving on uploads (key) where moving`.execute(db);
}
