/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  /** Its place among the pieces. */
  readonly at: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** Characters before the first match that are kept of a long text. */
const before = 60;

/** A text cut where the words of a search begin in it, whatever their case; from near the first of them on where it is long. */
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
  if (!first || first.isMatch || first.text.length <= 2 * before || pieces.length === 1) return pieces;
  const tail = first.text.slice(-before);
  return [{ at: 0, text: `…${tail.slice(tail.indexOf(" ") + 1)}`, isMatch: false }, ...pieces.slice(1)];
}
