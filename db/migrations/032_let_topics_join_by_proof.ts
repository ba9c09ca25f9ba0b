import { type Kysely, sql } from "kysely";

export const kind = "expand";

/**
 * Private topics that people join without approval, by passing the gate. The previous release takes them for other
 * private topics: members read, and who asks to join waits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table topics add column requires_approval boolean not null default true`.execute(db);
}
