import { type Kysely, sql } from "kysely";

export const kind = "contract";

/** Uploads that nothing shows are swept; a write that shows one marks it in its transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** A key without the environment before it (lib/storage/keys.ts), anywhere in a text. */
const key =
  "(?:posts|topics|avatars)/[A-Za-z0-9_-]{1,80}/[0-9a-f-]{36}/[A-Za-z0-9_-]{1,60}[.](?:png|jpg|gif|webp)";

const statements = [
  "alter table uploads add column used boolean not null default false",
  "create index uploads_unused on uploads (created_at) where stored and not used",
  // Scans every text once for uploads in use.
  `update uploads set used = true where substr(key, position('/' in key) + 1) in (
    select found[1] from (
      select content || ' ' || media::text as text from posts
      union all select content from comments
      union all select message from chat_messages
      union all select image from topics where image is not null
      union all select profile_image from users where profile_image is not null
    ) texts, regexp_matches(texts.text, '${key}', 'g') found)`,
];
