import { type RawBuilder, sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import { Refusal } from "@/lib/errors";
import type { Scope } from "../search/readable";

/** The longest slug that filters accept (contract), so no tag has a longer one. */
const MAX_SLUG = 100;

/** Whether a tag can have this slug: letters or digits, and not too many. */
export function isSlug(slug: string): boolean {
  return slug !== "" && slug.length <= MAX_SLUG;
}

/**
 * Returns the URL-safe form of a tag: NFKC, lower case, trimmed, with "-" for runs of anything but letters and digits
 * of any script (design/api.md). Marks belong to the letter before them: Devanagari, for one, writes vowels as marks.
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
 * Returns the tags of a post, with the first spelling of each slug.
 * @throws Refusal invalid_request that names a tag without letters and digits, or with too many
 */
export function readTags(names: readonly string[]): NewTag[] {
  const bySlug = new Map<string, NewTag>();
  for (const [index, name] of names.entries()) {
    const slug = tagSlug(name);
    if (!isSlug(slug)) {
      throw new Refusal("invalid_request", {
        field: `tags.${index}`,
        message: "A tag needs letters or digits, and not too many of them.",
      });
    }
    if (!bySlug.has(slug)) bySlug.set(slug, { name, slug });
  }
  return [...bySlug.values()];
}

/** A post, and where its tags are counted. */
export interface TaggedPost {
  readonly id: string;
  readonly topicId: string;
  /** Whether its topic is public. */
  readonly isPublic: boolean;
  /** Whether it is not hidden. Tags of hidden posts are not counted or shown. */
  readonly shown: boolean;
}

/** Adds tags to a new post, creating unknown ones, and counts the post for each. */
export async function tagPost(trx: Trx, post: TaggedPost, tags: readonly NewTag[], now: Date): Promise<void> {
  await changeTags(trx, post, { before: [], after: tags }, now);
}

/** Replaces the tags of a post, with none when it is deleted. Its row must be locked. */
export async function replaceTags(
  trx: Trx,
  post: TaggedPost,
  tags: readonly NewTag[],
  now: Date,
): Promise<void> {
  const before = await trx
    .selectFrom("post_tags as g")
    .innerJoin("tags as t", "t.id", "g.tag_id")
    .select(["t.id", "t.slug"])
    .where("g.post_id", "=", post.id)
    .execute();
  await changeTags(trx, post, { before, after: tags }, now);
}

/** Stops counting and showing the tags of a post that is hidden, or starts again. Its row must be locked. */
export async function showTags(
  trx: Trx,
  { id, topicId }: Pick<TaggedPost, "id" | "topicId">,
  shown: boolean,
): Promise<void> {
  const { rows } = await sql<{ slug: string; isPublic: boolean }>`
    update post_tags g set shown = ${shown} from tags t where g.post_id = ${id} and t.id = g.tag_id
    returning t.slug, g.is_public as "isPublic"`.execute(trx);
  const [first] = rows;
  if (!first) return;
  const slugs = rows.map(({ slug }) => slug);
  const place = { topicId, isPublic: first.isPublic, shown: true };
  await countTags(trx, place, shown ? { added: slugs, removed: [] } : { added: [], removed: slugs });
}

interface KnownTag {
  readonly id: string;
  readonly slug: string;
}

async function changeTags(
  trx: Trx,
  post: TaggedPost,
  { before, after }: { readonly before: readonly KnownTag[]; readonly after: readonly NewTag[] },
  now: Date,
): Promise<void> {
  const had = new Map(before.map(({ slug, id }) => [slug, id]));
  const has = new Set(after.map(({ slug }) => slug));
  const added = after.map(({ slug }) => slug).filter((slug) => !had.has(slug));
  const removed = before.filter(({ slug }) => !has.has(slug));
  const made = await countTags(trx, post, { added, removed: removed.map(({ slug }) => slug) });
  if (removed.length > 0) {
    const gone = removed.map(({ id }) => id);
    await trx.deleteFrom("post_tags").where("post_id", "=", post.id).where("tag_id", "in", gone).execute();
  }
  const ids = new Map([...had, ...made.map(({ slug, id }): [string, string] => [slug, id])]);
  const rows = after.flatMap(({ name, slug }, position) => {
    const tag_id = ids.get(slug);
    const { topicId: topic_id, isPublic: is_public, shown } = post;
    return tag_id
      ? { post_id: post.id, topic_id, tag_id, position, name, is_public, shown, created_at: now }
      : [];
  });
  if (rows.length === 0) return;
  await trx
    .insertInto("post_tags")
    .values(rows)
    // A tag that the post already has keeps the time of its first use.
    .onConflict((oc) =>
      oc.columns(["post_id", "tag_id"]).doUpdateSet((eb) => ({
        position: eb.ref("excluded.position"),
        name: eb.ref("excluded.name"),
      })),
    )
    .execute();
}

/**
 * Counts a post for added tags and uncounts it for removed ones, among posts of public topics and within the topic. One
 * statement locks the tags in the order of their slugs, so that two posts with the same tags cannot deadlock. A row of
 * topic_tags changes only under the lock of its tag.
 */
async function countTags(
  trx: Trx,
  { topicId, isPublic, shown }: Omit<TaggedPost, "id">,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): Promise<KnownTag[]> {
  const changed = [...added, ...removed];
  if (changed.length === 0) return [];
  const one = shown ? 1 : 0;
  const change = sql`case when excluded.slug = any(${[...removed]}::text[]) then -1 else 1 end * ${one}::int`;
  const { rows } = await sql<KnownTag>`
    with changed as (
      insert into tags (slug, public_post_count)
      select slug, ${isPublic ? one : 0}::int from unnest(${changed}::text[]) as c (slug)
      order by slug collate "C"
      on conflict (slug) do update set
        public_post_count = tags.public_post_count + ${isPublic ? change : sql`0`}
      returning id, slug
    ), counted as (
      insert into topic_tags (topic_id, tag_id, slug, post_count)
      select ${topicId}::uuid, id, slug, ${one}::int from changed
      on conflict (topic_id, tag_id) do update set post_count = topic_tags.post_count + ${change}
    )
    select id, slug from changed`.execute(trx);
  return rows;
}

/** Returns the id of the tag to filter a list by; undefined if no post in scope has it. */
export async function tagIdOf(db: Db, slug: string, scope: Scope): Promise<string | undefined> {
  // Pages pass query strings on unchecked; PostgreSQL refuses NUL in any text.
  if (slug.includes("\0")) return undefined;
  const { rows } = await sql<{ id: string }>`${tagsInScope(slug, scope)} limit 1`.execute(db);
  return rows[0]?.id;
}

/** SQL that matches the indexes tags_public_prefix and topic_tags_prefix. */
function tagsInScope(slug: string, scope: Scope): RawBuilder<unknown> {
  const inTopic = (id: RawBuilder<unknown>) => sql`select tag_id as id from topic_tags
    where topic_id = ${id} and slug collate "C" = ${slug} and post_count > 0`;
  if ("topicId" in scope) return inTopic(sql`${scope.topicId}`);
  const open = sql`select id from tags where slug collate "C" = ${slug} and public_post_count > 0`;
  if (scope.userId === null) return open;
  // The inner limit makes PostgreSQL look up the tag in each of the caller's topics, and in no other.
  return sql`${open} union all (select own.id from memberships m
    cross join lateral (${inTopic(sql`m.topic_id`)} limit 1) own where m.user_id = ${scope.userId}
      and (m.reprove_by is null or m.reprove_by > now()) limit 1)`;
}
