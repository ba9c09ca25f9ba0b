import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** The picture across the top of a topic's page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table topics add column banner text`.execute(db);
}
