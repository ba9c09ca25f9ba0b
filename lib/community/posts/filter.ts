import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";
import type { postSorts } from "@/lib/contract/posts";
import type { SortKey } from "../paging";
import { fewOf, type Scope, type Source, type TextSource } from "../search/readable";
import { matches, type TextQuery, textQuery } from "../search/text";
import { tagIdOf } from "./tags";

export type PostSort = (typeof postSorts)[number];

/** Sorts of post lists. Migration 002 has the indexes of each. */
export const POST_SORT_KEYS: Record<PostSort, SortKey> = {
  hot: { column: "score", kind: "float" },
  new: { column: "created_at", kind: "time" },
  top: { column: "upvote_count", kind: "int" },
  active: { column: "last_activity_at", kind: "time" },
  recorded: { column: "record_count", kind: "int" },
};

/** A filter of a list of posts, by tag or words. */
export interface PostFilter {
  /** All matching posts, if they are few. */
  readonly ids: readonly string[] | null;
  /** SQL: `and …`, which keeps the matching posts `p`. */
  readonly where: RawBuilder<unknown>;
  /** The tag to filter by, if any. */
  readonly tagId: string | null;
}

/**
 * Counts matching posts before a list is read, which decides how to read it: few posts are fetched and sorted; for
 * many, the list's own index is walked until a page is full. PostgreSQL cannot choose, since a common tag or word may
 * be rare in one topic. Posts outside the scope do not count: otherwise the time of the answer would reveal them.
 * @returns undefined if nothing matches
 */
export async function postFilter(
  db: Db,
  input: { readonly tag?: string; readonly q?: string },
  scope: Scope,
): Promise<PostFilter | undefined> {
  const query = textQuery(input.q);
  const tagId = input.tag ? await tagIdOf(db, input.tag, scope) : null;
  if (tagId === undefined) return undefined;
  const sets = [
    ...(tagId ? [await fewOf(db, withTag(tagId), scope)] : []),
    ...(query ? [await fewOf(db, withWords(query), scope)] : []),
  ].filter((ids) => ids !== null);
  const smallest = sets.toSorted((a, b) => a.length - b.length)[0] ?? null;
  if (smallest?.length === 0) return undefined;
  return {
    ids: smallest,
    tagId,
    where: sql`
      ${tagId ? sql`and exists (select from post_tags g where g.post_id = p.id and g.tag_id = ${tagId})` : sql``}
      ${query ? sql`and exists (select from post_search s where s.post_id = p.id and ${matches("s", query)})` : sql``}`,
  };
}

/** SQL: the `posts p` to read from. `offset 0` is a fence: few posts are fetched by id and in no other way. */
export function postSource({ ids }: Pick<PostFilter, "ids">): RawBuilder<unknown> {
  return ids ? sql`(select * from posts where id = any(${[...ids]}::uuid[]) offset 0) p` : sql`posts p`;
}

function withTag(tagId: string): Source {
  return { table: "post_tags", id: "post_id", where: sql`s.tag_id = ${tagId} and s.shown`, isGuess: false };
}

/** Returns the source of posts that match a query. */
export function withWords(query: TextQuery): TextSource {
  return { table: "post_search", id: "post_id", where: matches("s", query), isGuess: true };
}
