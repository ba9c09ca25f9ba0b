import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Indexes by which what is new to a reader is counted without reading it, and by which what has no number is found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index if not exists posts_position on posts (topic_id, position) include (author_id)
    where position > 0 and deleted_at is null and hidden_at is null`,
  "create index if not exists posts_unnumbered on posts (topic_id) where position is null",
  `create index if not exists comments_position on comments (post_id, position) include (author_id)
    where position > 0 and deleted_at is null and hidden_at is null`,
  "create index if not exists comments_unnumbered on comments (post_id) where position is null",
  `create index if not exists chat_messages_shown on chat_messages (topic_id, position) include (user_id)
    where type = 'message' and deleted_at is null and hidden_at is null`,
];
