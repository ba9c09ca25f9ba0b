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

/** Puts tags on a new post, creating unknown ones, and counts the post for each. */
export async function tagPost(trx: Trx, postId: string, tags: readonly NewTag[], now: Date): Promise<void> {
  if (tags.length === 0) return;
  const rows = await trx
    .insertInto("tags")
    // Always in the order of slugs: two posts with the same tags then never wait for each other in a circle.
    .values(
      tags
        .map(({ name, slug }) => ({ name, slug, post_count: 1, created_at: now }))
        .sort((a, b) => (a.slug < b.slug ? -1 : 1)),
    )
    .onConflict((conflict) =>
      conflict.column("slug").doUpdateSet((eb) => ({ post_count: eb("tags.post_count", "+", 1) })),
    )
    .returning(["id", "slug"])
    .execute();
  const position = new Map(tags.map((tag, index) => [tag.slug, index]));
  await trx
    .insertInto("post_tags")
    .values(rows.map(({ id, slug }) => ({ post_id: postId, tag_id: id, position: position.get(slug) ?? 0 })))
    .execute();
}

/** Id of the tag a list is filtered by; undefined when there is no such tag, and so nothing to list. */
export async function tagIdOf(db: Db, slug: string): Promise<string | undefined> {
  // Pages hand query strings in as they come; PostgreSQL refuses NUL in any text.
  if (slug.includes("\0")) return undefined;
  const row = await db.selectFrom("tags").select("id").where("slug", "=", slug).executeTakeFirst();
  return row?.id;
}
