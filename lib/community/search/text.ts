import { type RawBuilder, sql } from "kysely";
import { containsPattern, SEPARATOR, wantedText } from "../text-search";

/** Further words of a query are ignored. */
const MAX_WORDS = 12;
/** Of a query that any word matches, the longest: they say more about a text than "the" and "how". */
const TELLING_WORDS = 5;

/** A query of the tables topic_search, post_search and comment_search. */
export interface TextQuery {
  /** For to_tsquery('simple', …): every word, the last one as a prefix; or any of the telling words. */
  readonly words: string;
  /** For LIKE; null without three letters or digits in a row, which the trigram index needs. */
  readonly pattern: string | null;
}

/** Reads a query; null if it is empty. @param match whether all words must occur, or any of the longest */
export function textQuery(query: string | undefined, match: "all" | "any" = "all"): TextQuery | null {
  const wanted = wantedText(query);
  if (wanted === "") return null;
  const all = wanted.split(/\s+/u).slice(0, MAX_WORDS);
  if (match === "any") {
    const telling = all.toSorted((a, b) => b.length - a.length).slice(0, TELLING_WORDS);
    return { words: telling.map(quoted).join(" | "), pattern: null };
  }
  const words = all.map(quoted).join(" & ");
  const indexed = /[\p{L}\p{N}]{3}/u.test(wanted);
  return { words: `${words}:*`, pattern: indexed ? containsPattern(wanted) : null };
}

/** A word for to_tsquery, which splits those like "don't" and "a.example" with the parser that indexed the texts. */
function quoted(word: string): string {
  return `'${word.replace(/['\\]/g, "$&$&")}'`;
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
