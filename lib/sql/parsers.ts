import { TypeOverrides } from "pg";

/**
 * Normalizes the value types that drivers disagree on: PGlite returns int8 as number or BigInt, pg and @vercel/postgres
 * as string, and all return numeric (sums, averages) as string.
 *
 * Parley reads int8 and numeric as `number`. Amounts of money are stored as text, never as numeric.
 */
const int8 = 20;
const numeric = 1700;

/** @throws RangeError if a double does not hold the value exactly: a rounded id would name another row. */
function toSafeInteger(value: string): number {
  const parsed = Number(value);
  if (!Number.isSafeInteger(parsed))
    throw new RangeError(`int8 value ${value} is outside the safe integer range`);
  return parsed;
}

/** Parsers by type oid, in the shape PGlite takes. */
export const valueParsers: Record<number, (value: string) => number> = {
  [int8]: toSafeInteger,
  [numeric]: Number,
};

/** Returns the parsers for a pg pool. Does not change pg's global registry. */
export function pgTypes(): TypeOverrides {
  const overrides = new TypeOverrides();
  setParsers(overrides);
  return overrides;
}

/** A registry like pg's `types`. */
interface TypeRegistry {
  setTypeParser(oid: number, parse: (value: string) => number): void;
}

/** Sets the parsers in a driver's registry, for drivers that take none per pool. */
export function setParsers(registry: TypeRegistry): void {
  for (const [oid, parse] of Object.entries(valueParsers)) registry.setTypeParser(Number(oid), parse);
}
