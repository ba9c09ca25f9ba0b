import { type RawBuilder, sql } from "kysely";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { topicAccess } from "@/lib/policy/topic";
import type { Context } from "../context";
import { tagSlug } from "../posts/tags";
import { demand } from "../refusals";
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
 * what a closed topic talks about.
 */
export async function listTags(
  { caller, db }: Context,
  { q, topicId }: HandlerInput<typeof contract.tags.list>,
): Promise<ResponseBody<typeof contract.tags.list>> {
  if (topicId !== undefined) {
    const topic = await loadTopic(db, topicId, caller?.userId ?? null);
    demand(topicAccess(topic, viewerOf(caller, topic)).readContent);
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

/** Indexes tags_public_prefix and tags_public_post_count. */
function publicTags(prefix: string): RawBuilder<TagRow> {
  return sql<TagRow>`select t.id, t.name, t.slug, t.public_post_count as post_count, t.created_at from tags t
    where t.public_post_count > 0 ${chosen("t", "public_post_count", "id", prefix)}`;
}

/** Indexes topic_tags_prefix and topic_tags_most_used. */
function tagsOf(topicId: string, prefix: string): RawBuilder<TagRow> {
  return sql<TagRow>`select t.id, t.name, t.slug, g.post_count, t.created_at
    from topic_tags g join tags t on t.id = g.tag_id
    where g.topic_id = ${topicId} and g.post_count > 0 ${chosen("g", "post_count", "tag_id", prefix)}`;
}

/** The rest of the query: by prefix in byte order, as the indexes stand, or the most used. */
function chosen(table: string, count: string, id: string, prefix: string): RawBuilder<unknown> {
  const slug = sql`${sql.ref(`${table}.slug`)} collate "C"`;
  if (prefix === "") {
    return sql`order by ${sql.ref(`${table}.${count}`)} desc, ${sql.ref(`${table}.${id}`)} desc limit ${mostUsed}`;
  }
  // A slug holds letters, digits and "-": nothing LIKE would read as a wildcard.
  return sql`and ${slug} like ${`${prefix}%`} order by ${slug} limit ${searched}`;
}
