import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";

interface FactsRow {
  readonly key: string;
  /** The first cell, which heads the row. */
  readonly head: ReactNode;
  readonly cells: readonly ReactNode[];
}

export interface FactsProps {
  readonly caption: string;
  readonly hideCaption?: boolean;
  /** Headings of the columns; the first is that of the rows' heads. */
  readonly columns: readonly string[];
  readonly rows: readonly FactsRow[];
  /** On wide windows the table also takes the right column, which the page must leave free. */
  readonly wide?: boolean;
}

/** A table of facts. Each row is a card where the table would not fit. */
export function Facts({ caption, hideCaption, columns, rows, wide }: FactsProps) {
  const [first, ...others] = columns;
  return (
    <table
      className={cx(
        "facts",
        // The width of the right column, the gap before it and the padding of this one.
        wide ? "max-wide:facts-cards wide:w-[calc(100%+356px)] wide:table-fixed" : "max-md:facts-cards",
      )}
    >
      <caption className={hideCaption ? "sr-only" : undefined}>{caption}</caption>
      <thead>
        <tr>
          {[first, ...others].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, head, cells }) => (
          <tr key={key}>
            <th scope="row">{head}</th>
            {others.map((column, i) => (
              <td key={column}>
                <span className="facts-label">{column}</span>
                {cells[i]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
