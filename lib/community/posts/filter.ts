import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";
import { fewOf, type Scope, type Source } from "../search/readable";
import { matches, type TextQuery, textQuery } from "../search/text";
import { tagIdOf } from "./tags";

/** What a list of posts is narrowed by: a tag, words. */
export interface PostFilter {
  /** The posts to choose from, when they are few: everything the list holds is among them. */
  readonly ids: readonly string[] | null;
  /** SQL: `and …` for posts `p`, true of what the filter lets through. */
  readonly where: RawBuilder<unknown>;
  /** The tag, where there is one. */
  readonly tagId: string | null;
}

/**
 * Looks up what a filter leaves before a list is read, since the two good ways to read it differ: with few posts all
 * of them are fetched and sorted, with many the list's own index is walked until a page is full. PostgreSQL cannot
 * know which it is where a tag or word that is common elsewhere is rare in one topic. Posts outside the scope play no
 * part: a list that others' posts could end early or send another way would tell of them by its time.
 * @returns undefined when nothing is left
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

/** SQL for the `posts p` to read from: fenced off, few ones are fetched by id and nothing else. */
export function postSource({ ids }: Pick<PostFilter, "ids">): RawBuilder<unknown> {
  return ids ? sql`(select * from posts where id = any(${[...ids]}::uuid[]) offset 0) p` : sql`posts p`;
}

function withTag(tagId: string): Source {
  return { table: "post_tags", id: "post_id", where: sql`s.tag_id = ${tagId} and s.shown` };
}

/** Posts that match. */
export function withWords(query: TextQuery): Source {
  return { table: "post_search", id: "post_id", where: matches("s", query) };
}
