import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** The previous token of a session, and when it was replaced, to tell a late request from an ended session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column previous_jti text, add column renewed_at timestamptz`.execute(db);
  await sql`create index sessions_by_previous on sessions (previous_jti) where previous_jti is not null`.execute(
    db,
  );
}
