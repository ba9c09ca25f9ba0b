import { type RawBuilder, sql } from "kysely";
import type { Db } from "../context";
import { matches, type TextQuery, textQuery } from "../search/text";
import { tagIdOf } from "./tags";

/** Posts that are fetched one by one and sorted; of more than these a list is walked in its order. */
const few = 2000;

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
 * know which it is where a tag or word that is common elsewhere is rare in one topic.
 * @param input.topicId of a list of one topic
 * @returns undefined when nothing is left
 */
export async function postFilter(
  db: Db,
  input: { readonly tag?: string; readonly q?: string; readonly topicId?: string },
): Promise<PostFilter | undefined> {
  const query = textQuery(input.q);
  const tagId = input.tag ? await tagIdOf(db, input.tag) : null;
  if (tagId === undefined) return undefined;
  const sets = [
    ...(tagId ? [await fewOf(db, withTag(tagId, input.topicId))] : []),
    ...(query ? [await fewOf(db, withWords(query))] : []),
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

function withTag(tagId: string, topicId: string | undefined): RawBuilder<{ post_id: string }> {
  return sql`select post_id from post_tags where tag_id = ${tagId}
    ${topicId === undefined ? sql`` : sql`and topic_id = ${topicId}`}`;
}

/** SQL for the posts that match, for `fewOf`. */
export function withWords(query: TextQuery): RawBuilder<{ post_id: string }> {
  return sql`select post_id from post_search s where ${matches("s", query)}`;
}

/** The posts a query finds, or null when they are many. In the order of ids, so that any plan is one by an index. */
export async function fewOf(db: Db, query: RawBuilder<{ post_id: string }>): Promise<string[] | null> {
  const found = await sql<{ post_id: string }>`${query} order by post_id limit ${few + 1}`.execute(db);
  return found.rows.length > few ? null : found.rows.map((row) => row.post_id);
}
