import { type RawBuilder, sql } from "kysely";
import type { Context } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { tagSlug } from "../posts/tags";
import { loadTopic } from "../topics/load";
import { viewerOf } from "../viewer";

/** Rows with a prefix, and without (spec, Limits). */
const searched = 10;
const mostUsed = 20;

interface TagRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly post_count: number;
  readonly created_at: Date;
}

/**
 * GET /api/tags: with q up to 10 whose slug begins with it, in the order of slugs; else the 20 most used. With
 * topicId those of that topic, for whoever may read its posts; without, those of public topics, since a tag may say
 * what a closed topic talks about. Spelling and time are of the first post that the list counts, for the same reason.
 */
export async function listTags(
  { caller, db }: Context,
  { q, topicId }: HandlerInput<typeof contract.tags.list>,
): Promise<ResponseBody<typeof contract.tags.list>> {
  if (topicId !== undefined) {
    const topic = await loadTopic(db, topicId, caller?.userId ?? null);
    assertAllowed(topicAccess(topic, viewerOf(caller, topic)).readContent);
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
}

/** Indexes tags_public_prefix and tags_public_post_count; the first uses by post_tags_public. */
function publicTags(prefix: string): RawBuilder<TagRow> {
  return withFirstUse(
    sql`select id, slug, public_post_count as post_count from tags
      where public_post_count > 0 ${chosen("public_post_count", "id", prefix)}`,
    sql`g.is_public`,
  );
}

/** Indexes topic_tags_prefix and topic_tags_most_used; the first uses by post_tags_topic. */
function tagsOf(topicId: string, prefix: string): RawBuilder<TagRow> {
  return withFirstUse(
    sql`select tag_id as id, slug, post_count from topic_tags
      where topic_id = ${topicId} and post_count > 0 ${chosen("post_count", "tag_id", prefix)}`,
    sql`g.topic_id = ${topicId}`,
  );
}

/** @param counted SQL: which uses `g` of a tag its count is of */
function withFirstUse(tags: RawBuilder<unknown>, counted: RawBuilder<unknown>): RawBuilder<TagRow> {
  return sql<TagRow>`select t.id, f.name, t.slug, t.post_count, f.created_at
    from (select row_number() over () as place, t.* from (${tags}) t) t
    cross join lateral (
      select g.name, g.created_at from post_tags g where g.tag_id = t.id and g.shown and ${counted}
      order by g.created_at, g.post_id limit 1) f
    order by t.place`;
}

/** The rest of the query: by prefix in byte order, as the indexes stand, or the most used. */
function chosen(count: string, id: string, prefix: string): RawBuilder<unknown> {
  if (prefix === "") return sql`order by ${sql.ref(count)} desc, ${sql.ref(id)} desc limit ${mostUsed}`;
  // A slug holds letters, digits and "-": nothing LIKE would read as a wildcard.
  const slug = sql`slug collate "C"`;
  return sql`and ${slug} like ${`${prefix}%`} order by ${slug} limit ${searched}`;
}
