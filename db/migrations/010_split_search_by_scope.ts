import { type Kysely, sql } from "kysely";

export const kind = "contract";

/**
 * Search indexes that hold either public texts or one topic's: the time a search takes no longer depends on texts its
 * caller may not read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Topic ids in the same index as words and trigrams.
  "create extension if not exists btree_gin",
  "alter table comment_search add column topic_id uuid, add column is_public boolean",
  `update comment_search s set topic_id = p.topic_id, is_public = p.is_public
    from comments c join posts p on p.id = c.post_id where c.id = s.comment_id`,
  "alter table comment_search alter column topic_id set not null, alter column is_public set not null",
  "alter table topic_search add column is_secret boolean",
  "update topic_search s set is_secret = t.visibility = 'secret' from topics t where t.id = s.topic_id",
  "alter table topic_search alter column is_secret set not null",
  "drop index comment_search_latest",
  "create index comment_search_latest on comment_search (created_at, comment_id) where is_public",
  "create index comment_search_topic on comment_search (topic_id, created_at, comment_id) where not is_public",
  ...["topic_search", "post_search", "comment_search"].flatMap((table) => [
    `drop index ${table}_words`,
    `drop index ${table}_text`,
  ]),
  "create index topic_search_words on topic_search using gin (words) where not is_secret",
  "create index topic_search_text on topic_search using gin (text gin_trgm_ops) where not is_secret",
  ...["post_search", "comment_search"].flatMap((table) => [
    `create index ${table}_words on ${table} using gin (words) where is_public`,
    `create index ${table}_text on ${table} using gin (text gin_trgm_ops) where is_public`,
    `create index ${table}_topic_words on ${table} using gin (topic_id, words) where not is_public`,
    `create index ${table}_topic_text on ${table} using gin (topic_id, text gin_trgm_ops) where not is_public`,
  ]),
];
