import { expect, it } from "vitest";
import { later } from "./rows";

/**
 * One test per row, under the row's name; a row that is not built yet is skipped with its reason in the name.
 */
export function rowSuite<const Row extends string>(
  rows: readonly Row[],
  tests: Readonly<Record<Exclude<Row, keyof typeof later>, () => Promise<void>>> &
    Readonly<Partial<Record<Row, () => Promise<void>>>>,
): void {
  for (const row of rows) {
    const reason = later[row];
    const test = new Map<string, () => Promise<void>>(Object.entries(tests)).get(row);
    if (test) it(row, test);
    else if (reason) it.skip(`${row} (skipped: ${reason})`);
    else it(row, () => expect.fail("this row of the specification has no test"));
  }
}
