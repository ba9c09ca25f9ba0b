import { type Kysely, sql } from "kysely";

export const kind = "contract";

/**
 * A tag's spelling and first use belong to the posts that have it: one row for all topics revealed to anyone who
 * guessed a tag how and when a secret topic had written it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "delete from post_tags g using posts p where p.id = g.post_id and p.deleted_at is not null",
  // `shown`: not hidden by the staff. `is_public`: copy of the post's.
  `alter table post_tags add column name text, add column created_at timestamptz,
    add column is_public boolean, add column shown boolean`,
  // The post that spelled a tag first was created at the same time. If its topic is closed, other topics get the
  // slug, which any of them could have derived from its own spelling.
  `update post_tags g set created_at = p.created_at, is_public = p.is_public, shown = p.hidden_at is null,
      name = case when exists (
        select from post_tags o join posts q on q.id = o.post_id
        where o.tag_id = g.tag_id and q.created_at = t.created_at and (q.is_public or q.topic_id = p.topic_id)
      ) then t.name else t.slug end
    from posts p, tags t where p.id = g.post_id and t.id = g.tag_id`,
  `alter table post_tags alter column name set not null, alter column created_at set not null,
    alter column is_public set not null, alter column shown set not null`,
  "alter table tags drop column name, drop column created_at, drop column post_count",
  `update topic_tags k set post_count = (select count(*) from post_tags g
    where g.tag_id = k.tag_id and g.topic_id = k.topic_id and g.shown)`,
  `update tags t set public_post_count = (select count(*) from post_tags g
    where g.tag_id = t.id and g.is_public and g.shown)`,
  "drop index post_tags_tag",
  "create index post_tags_topic on post_tags (tag_id, topic_id, shown, created_at, post_id)",
  "create index post_tags_public on post_tags (tag_id, created_at, post_id) where is_public and shown",
];
