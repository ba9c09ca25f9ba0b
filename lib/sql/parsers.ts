import { TypeOverrides } from "pg";

/**
 * Value types that drivers disagree on, normalised here and nowhere else: PGlite returns int8 as number or
 * BigInt, pg and @vercel/postgres as string, and numeric (sums, averages) as string everywhere.
 *
 * Everywhere in Parley int8 and numeric arrive as `number`. Amounts of money are stored as text, never as numeric.
 */
const int8 = 20;
const numeric = 1700;

/**
 * @throws RangeError when the value does not fit a double exactly: silently rounding an id or a counter
 * would point at another row.
 */
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

/** The same parsers for a pg pool; pg's global registry is left alone. */
export function pgTypes(): TypeOverrides {
  const overrides = new TypeOverrides();
  setParsers(overrides);
  return overrides;
}

/** A registry like pg's `types`. */
interface TypeRegistry {
  setTypeParser(oid: number, parse: (value: string) => number): void;
}

/** The same parsers set in a driver's own registry, for drivers that take none per pool. */
export function setParsers(registry: TypeRegistry): void {
  for (const [oid, parse] of Object.entries(valueParsers)) registry.setTypeParser(Number(oid), parse);
}
