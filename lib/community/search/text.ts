import { type RawBuilder, sql } from "kysely";
import { containsPattern, SEPARATOR, wantedText } from "../text-search";

/** Further words of a query are ignored. */
const MAX_WORDS = 12;

/** A query of the tables topic_search, post_search and comment_search. */
export interface TextQuery {
  /** For to_tsquery('simple', …): every word, the last one as a prefix. */
  readonly words: string;
  /** For LIKE; null without three letters or digits in a row, which the trigram index needs. */
  readonly pattern: string | null;
}

/** Reads a query; null if it is empty. */
export function textQuery(query: string | undefined): TextQuery | null {
  const wanted = wantedText(query);
  if (wanted === "") return null;
  // to_tsquery splits words like "don't" and "a.example" with the parser that indexed the texts.
  const words = wanted
    .split(/\s+/u)
    .slice(0, MAX_WORDS)
    .map((word) => `'${word.replace(/['\\]/g, "$&$&")}'`)
    .join(" & ");
  const indexed = /[\p{L}\p{N}]{3}/u.test(wanted);
  return { words: `${words}:*`, pattern: indexed ? containsPattern(wanted) : null };
}

/** SQL: whether a row of a search table matches. @param alias of the search table */
export function matches(alias: string, { words, pattern }: TextQuery): RawBuilder<boolean> {
  const text = sql.ref(`${alias}.text`);
  return sql<boolean>`(${sql.ref(`${alias}.words`)} @@ to_tsquery('simple', ${words})
    ${pattern === null ? sql`` : sql`or ${text} like ${pattern}`})`;
}

/** SQL: how well a row matches, higher is better: by its title, then by how often the words occur. */
export function rank(alias: string, query: TextQuery): RawBuilder<number> {
  const title = sql`split_part(${sql.ref(`${alias}.text`)}, ${SEPARATOR}, 1)`;
  const inTitle = sql`to_tsvector('simple', ${title}) @@ to_tsquery('simple', ${query.words})`;
  const begun = query.pattern === null ? sql`` : sql`or ${title} like ${query.pattern}`;
  return sql<number>`(case when ${inTitle} ${begun} then 1 else 0 end
    + ts_rank(${sql.ref(`${alias}.words`)}, to_tsquery('simple', ${query.words})))::float8`;
}
