/** Stands between two texts of one search column, so that no query matches across them. */
export const separator = "\u0001";

/**
 * Marks beyond the thirtieth on one letter. Normalising sorts the marks of a letter in time by the square of their number;
 * no language has more than thirty (Unicode Standard Annex 15, Stream-Safe Text Format).
 */
const surplusMarks = /(\p{M}{30})\p{M}+/gu;

/** The searchable form of texts: lower case by Unicode, the same whatever locale the database runs in. */
export function searchText(...texts: readonly (string | null)[]): string {
  return texts
    .filter((text) => text !== null)
    .map((text) => text.replace(surplusMarks, "$1").normalize("NFC").toLowerCase())
    .join(separator);
}

/** A query as searchable text. PostgreSQL refuses NUL in any text, and no stored text has one. */
export function wantedText(query: string | undefined): string {
  return searchText((query ?? "").replaceAll("\0", "").trim());
}

/**
 * LIKE pattern for "contains these characters, whatever their case"; null when there is nothing to look for.
 * The wildcard characters of the query stand for themselves.
 */
export function containsPattern(query: string | undefined): string | null {
  const wanted = wantedText(query);
  return wanted === "" ? null : `%${literal(wanted)}%`;
}

/** LIKE pattern for "begins with these characters, whatever their case"; null when there is nothing to look for. */
export function prefixPattern(query: string | undefined): string | null {
  const wanted = wantedText(query);
  return wanted === "" ? null : `${literal(wanted)}%`;
}

function literal(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
