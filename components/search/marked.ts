/** A piece of a text, and whether it matches the search. */
interface Piece {
  /** Index among the pieces. */
  readonly at: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** Characters to keep before the first match in a long text. */
const CONTEXT = 60;

/** Splits a text at the words of a search, ignoring case. A long text starts near the first match. */
export function marked(text: string, q: string): readonly Piece[] {
  const words = [...new Set(q.trim().toLowerCase().split(/\s+/))].filter(Boolean);
  if (words.length === 0) return [{ at: 0, text, isMatch: false }];
  const pattern = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("|");
  const parts = text.split(new RegExp(`(${pattern})`, "giu"));
  const pieces = parts
    .map((part, at) => ({ at, text: part, isMatch: at % 2 === 1 }))
    .filter((one) => one.text);
  const [first] = pieces;
  if (!first || first.isMatch || first.text.length <= 2 * CONTEXT || pieces.length === 1) return pieces;
  const tail = first.text.slice(-CONTEXT);
  return [{ at: 0, text: `…${tail.slice(tail.indexOf(" ") + 1)}`, isMatch: false }, ...pieces.slice(1)];
}
