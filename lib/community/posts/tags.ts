import { sql } from "kysely";
import { Refusal } from "@/lib/errors";
import type { Db, Trx } from "../context";

/** Filters take slugs of this length at most (contract), so no tag has a longer one. */
const maxSlug = 100;

/**
 * URL-safe form of a tag: NFKC, lower case, runs of anything but letters and digits of any script become "-",
 * trimmed (design/api.md). A mark that follows a letter belongs to it: scripts like Devanagari write vowels so.
 */
export function tagSlug(name: string): string {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .match(/(?:\p{L}\p{M}*|\p{N})+/gu);
  return (words ?? []).join("-");
}

export interface NewTag {
  readonly name: string;
  readonly slug: string;
}

/**
 * Tags of a post as written, first spelling of each slug.
 * @throws Refusal invalid_request naming the tag that has no letters or digits, or too many
 */
export function readTags(names: readonly string[]): NewTag[] {
  const bySlug = new Map<string, NewTag>();
  for (const [index, name] of names.entries()) {
    const slug = tagSlug(name);
    if (slug === "" || slug.length > maxSlug) {
      throw new Refusal("invalid_request", "A tag needs letters or digits, and not too many.", {
        field: `tags.${index}`,
      });
    }
    if (!bySlug.has(slug)) bySlug.set(slug, { name, slug });
  }
  return [...bySlug.values()];
}

/** A post, and where its tags count. */
export interface TaggedPost {
  readonly id: string;
  readonly topicId: string;
  /** In a public topic. */
  readonly isPublic: boolean;
}

/** Puts tags on a new post, creating unknown ones, and counts the post for each. */
export async function tagPost(trx: Trx, post: TaggedPost, tags: readonly NewTag[], now: Date): Promise<void> {
  await changeTags(trx, post, { before: [], after: tags }, now);
}

/** Gives a post these tags instead of those it has; none when it is deleted. Its row must be locked. */
export async function replaceTags(
  trx: Trx,
  post: TaggedPost,
  tags: readonly NewTag[],
  now: Date,
): Promise<void> {
  const before = await trx
    .selectFrom("post_tags as g")
    .innerJoin("tags as t", "t.id", "g.tag_id")
    .select(["t.id", "t.name", "t.slug"])
    .where("g.post_id", "=", post.id)
    .execute();
  await changeTags(trx, post, { before, after: tags }, now);
}

interface KnownTag extends NewTag {
  readonly id: string;
}

async function changeTags(
  trx: Trx,
  post: TaggedPost,
  { before, after }: { readonly before: readonly KnownTag[]; readonly after: readonly NewTag[] },
  now: Date,
): Promise<void> {
  const had = new Map(before.map(({ slug, id }) => [slug, id]));
  const has = new Set(after.map(({ slug }) => slug));
  const added = after.filter(({ slug }) => !had.has(slug));
  const removed = before.filter(({ slug }) => !has.has(slug));
  const made = await countTags(trx, post, added, removed, now);
  if (before.length > 0) await trx.deleteFrom("post_tags").where("post_id", "=", post.id).execute();
  const ids = new Map([...had, ...made.map(({ slug, id }): [string, string] => [slug, id])]);
  const rows = after.flatMap(({ slug }, position) => {
    const tag_id = ids.get(slug);
    return tag_id ? { post_id: post.id, topic_id: post.topicId, tag_id, position } : [];
  });
  if (rows.length > 0) await trx.insertInto("post_tags").values(rows).execute();
}

/**
 * Counts a post for tags it got and no more for those it lost: in the tag, among posts of public topics, and within
 * the topic. One statement that takes the tags' rows in the order of slugs, so that two posts with the same tags
 * never wait for each other in a circle; a row of topic_tags is only touched by who holds its tag.
 */
async function countTags(
  trx: Trx,
  post: TaggedPost,
  added: readonly NewTag[],
  removed: readonly NewTag[],
  now: Date,
): Promise<KnownTag[]> {
  const changed = [...added, ...removed].map(({ name, slug }) => ({ name, slug }));
  if (changed.length === 0) return [];
  const lost = removed.map(({ slug }) => slug);
  const one = sql`case when excluded.slug = any(${lost}::text[]) then -1 else 1 end`;
  const shown = post.isPublic ? 1 : 0;
  const { rows } = await sql<KnownTag>`
    with changed as (
      insert into tags (name, slug, post_count, public_post_count, created_at)
      select c.name, c.slug, 1, ${shown}::int, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c (name text, slug text)
      order by c.slug collate "C"
      on conflict (slug) do update set post_count = tags.post_count + ${one},
        public_post_count = tags.public_post_count + ${shown}::int * ${one}
      returning id, name, slug
    ), counted as (
      insert into topic_tags (topic_id, tag_id, slug, post_count)
      select ${post.topicId}::uuid, id, slug, 1 from changed
      on conflict (topic_id, tag_id) do update set post_count = topic_tags.post_count + ${one}
    )
    select id, name, slug from changed`.execute(trx);
  return rows;
}

/** Id of the tag a list is filtered by; undefined when there is no such tag, and so nothing to list. */
export async function tagIdOf(db: Db, slug: string): Promise<string | undefined> {
  // Pages hand query strings in as they come; PostgreSQL refuses NUL in any text.
  if (slug.includes("\0")) return undefined;
  const row = await db.selectFrom("tags").select("id").where("slug", "=", slug).executeTakeFirst();
  return row?.id;
}
