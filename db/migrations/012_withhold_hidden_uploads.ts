import { type Kysely, sql } from "kysely";

export const kind = "expand";

/**
 * Files of hidden posts are not served until the post is shown again. `withheld` is the target state; `moving` is set
 * until the file is there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table uploads
    add column withheld boolean not null default false,
    add column moving boolean not null default false`.execute(db);
  await sql`create index uploads_moving on uploads (key) where moving`.execute(db);
}
