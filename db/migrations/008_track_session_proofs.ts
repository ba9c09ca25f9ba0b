import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** When the proof behind a session was verified: a session ends 30 days after it, however often it is renewed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column proven_at timestamptz not null default now()`.execute(db);
  await sql`update sessions set proven_at = created_at`.execute(db);
}
