import { it } from "vitest";

/** One test per row, under the row's name. */
export function rowSuite<const Row extends string>(
  rows: readonly Row[],
  tests: Readonly<Record<Row, () => Promise<void>>>,
): void {
  for (const row of rows) it(row, tests[row]);
}
