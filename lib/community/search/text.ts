import { type RawBuilder, sql } from "kysely";
import { containsPattern, separator, wantedText } from "../text-search";

/** Words of a query beyond these are not looked at. */
const maxWords = 12;

/** What a query asks of the tables topic_search, post_search and comment_search. */
export interface TextQuery {
  /** For to_tsquery('simple', …): every word, the last one perhaps only begun. */
  readonly words: string;
  /** For LIKE; null when it has no three letters or digits in a row, which the trigram index needs. */
  readonly pattern: string | null;
}

/** Null when there is nothing to look for. */
export function textQuery(query: string | undefined): TextQuery | null {
  const wanted = wantedText(query);
  if (wanted === "") return null;
  // Each piece goes through the parser that read the texts: "don't" and "a.example" are cut as they were there.
  const words = wanted
    .split(/\s+/u)
    .slice(0, maxWords)
    .map((word) => `'${word.replace(/['\\]/g, "$&$&")}'`)
    .join(" & ");
  const indexed = /[\p{L}\p{N}]{3}/u.test(wanted);
  return { words: `${words}:*`, pattern: indexed ? containsPattern(wanted) : null };
}

/** SQL: whether a row of a search table is what was asked for. @param alias the search table's */
export function matches(alias: string, { words, pattern }: TextQuery): RawBuilder<boolean> {
  const text = sql.ref(`${alias}.text`);
  return sql<boolean>`(${sql.ref(`${alias}.words`)} @@ to_tsquery('simple', ${words})
    ${pattern === null ? sql`` : sql`or ${text} like ${pattern}`})`;
}

/** SQL: how well it is, higher is better: by its title first, then by how often the words occur. */
export function rank(alias: string, query: TextQuery): RawBuilder<number> {
  const title = sql`split_part(${sql.ref(`${alias}.text`)}, ${separator}, 1)`;
  const inTitle = sql`to_tsvector('simple', ${title}) @@ to_tsquery('simple', ${query.words})`;
  const begun = query.pattern === null ? sql`` : sql`or ${title} like ${query.pattern}`;
  return sql<number>`(case when ${inTitle} ${begun} then 1 else 0 end
    + ts_rank(${sql.ref(`${alias}.words`)}, to_tsquery('simple', ${query.words})))::float8`;
}
