/** Separates two texts of one search column, so that no query matches across them. */
export const SEPARATOR = "\u0001";

/**
 * Marks beyond the thirtieth on one letter. Normalizing sorts the marks of a letter in quadratic time; no language has
 * more than thirty (Unicode Standard Annex 15, Stream-Safe Text Format).
 */
const SURPLUS_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Returns the searchable form of texts: Unicode lower case, whatever the locale of the database. */
export function searchText(...texts: readonly (string | null)[]): string {
  return texts
    .filter((text) => text !== null)
    .map((text) => text.replace(SURPLUS_MARKS, "$1").normalize("NFC").toLowerCase())
    .join(SEPARATOR);
}

/** Returns a query as searchable text, without NUL, which PostgreSQL refuses in any text. */
export function wantedText(query: string | undefined): string {
  return searchText((query ?? "").replaceAll("\0", "").trim());
}

/**
 * Returns a LIKE pattern for "contains these characters, in any case"; null for an empty query. Wildcards in the query
 * match only themselves.
 */
export function containsPattern(query: string | undefined): string | null {
  const wanted = wantedText(query);
  return wanted === "" ? null : `%${literal(wanted)}%`;
}

/** Returns a LIKE pattern for "begins with these characters, in any case"; null for an empty query. */
export function prefixPattern(query: string | undefined): string | null {
  const wanted = wantedText(query);
  return wanted === "" ? null : `${literal(wanted)}%`;
}

function literal(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
