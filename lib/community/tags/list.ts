import { type RawBuilder, sql } from "kysely";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { tagSlug } from "../posts/tags";
import { authorizeTopic } from "../topics/load";

/** Rows with a prefix, and without (spec, Limits). */
const MAX_MATCHES = 10;
const MAX_MOST_USED = 20;

interface TagRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly post_count: number;
  readonly created_at: Date;
}

/**
 * GET /api/tags: with q, up to 10 tags whose slug begins with it, by slug; otherwise the 20 most used. With topicId,
 * the tags of that topic, for those who may read its posts. Without it, the tags of public topics only, since a tag may
 * reveal what a closed topic is about. For the same reason, spelling and time come from the first post that the list
 * counts.
 */
export const listTags: Handler<typeof contract.tags.list> = async ({ caller, db }, { q, topicId }) => {
  if (topicId !== undefined) {
    await authorizeTopic(db, topicId, caller, "readContent");
  }
  const wanted = q?.trim() ?? "";
  const prefix = tagSlug(wanted);
  if (wanted !== "" && prefix === "") return { tags: [] };
  const source = topicId === undefined ? publicTags(prefix) : tagsOf(topicId, prefix);
  const { rows } = await source.execute(db);
  return {
    tags: rows.map((row) => ({
      id: row.id,
      name: row.name,
      slug: row.slug,
      postCount: row.post_count,
      createdAt: row.created_at.toISOString(),
    })),
  };
};

/** Uses the indexes tags_public_prefix and tags_public_post_count, and post_tags_public for the first post. */
function publicTags(prefix: string): RawBuilder<TagRow> {
  return withFirstUse(
    sql`select id, slug, public_post_count as post_count from tags
      where public_post_count > 0 ${chosen("public_post_count", "id", prefix)}`,
    sql`g.is_public`,
  );
}

/** Uses the indexes topic_tags_prefix and topic_tags_most_used, and post_tags_topic for the first post. */
function tagsOf(topicId: string, prefix: string): RawBuilder<TagRow> {
  return withFirstUse(
    sql`select tag_id as id, slug, post_count from topic_tags
      where topic_id = ${topicId} and post_count > 0 ${chosen("post_count", "tag_id", prefix)}`,
    sql`g.topic_id = ${topicId}`,
  );
}

/** @param counted SQL: the uses `g` of a tag that its count includes */
function withFirstUse(tags: RawBuilder<unknown>, counted: RawBuilder<unknown>): RawBuilder<TagRow> {
  return sql<TagRow>`select t.id, f.name, t.slug, t.post_count, f.created_at
    from (select row_number() over () as place, t.* from (${tags}) t) t
    cross join lateral (
      select g.name, g.created_at from post_tags g where g.tag_id = t.id and g.shown and ${counted}
      order by g.created_at, g.post_id limit 1) f
    order by t.place`;
}

/** SQL: the rest of the query, by prefix in the byte order of the indexes, or the most used. */
function chosen(count: string, id: string, prefix: string): RawBuilder<unknown> {
  if (prefix === "") return sql`order by ${sql.ref(count)} desc, ${sql.ref(id)} desc limit ${MAX_MOST_USED}`;
  // A slug has only letters, digits and "-", so no wildcards of LIKE.
  const slug = sql`slug collate "C"`;
  return sql`and ${slug} like ${`${prefix}%`} order by ${slug} limit ${MAX_MATCHES}`;
}
