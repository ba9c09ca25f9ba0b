import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Pictures uploaded for anonymous posts: the slots that they took. Their files are uploads of the author "anonymous". */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statement).execute(db);
}

// The day alone, so that slots can be forgotten once they count no more.
const statement = `create table anonymous_pictures (
  topic_id uuid not null references topics (id) on delete cascade,
  slot_nullifier text not null,
  signal text not null,
  epoch integer not null,
  key text not null references uploads (key) on delete cascade,
  primary key (topic_id, slot_nullifier)
)`;
