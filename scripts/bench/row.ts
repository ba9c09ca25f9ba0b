/** One measured value of a bench. */
export interface Row {
  /** What was measured. */
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  readonly limit?: Limit;
}

type Unit = keyof typeof DIGITS;
/** The bound of a value, itself included. */
type Limit = { readonly least: number } | { readonly most: number };

/** Digits after the decimal point. */
const DIGITS = { ratio: 2, ms: 0, µs: 0, s: 1, B: 0, "/s": 0, KiB: 1, KB: 0, gates: 0, count: 0 } as const;

/** Returns a value with its unit, rounded as its unit is. */
export function formatValue(value: number, unit: Unit): string {
  const digits = DIGITS[unit];
  const amount = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (unit === "ratio" || unit === "count") return amount;
  return unit === "/s" ? `${amount}/s` : `${amount} ${unit}`;
}

/** Returns a limit as text; empty for a row without one. */
export function formatLimit({ limit, unit }: Row): string {
  if (!limit) return "";
  return "least" in limit
    ? `at least ${formatValue(limit.least, unit)}`
    : `at most ${formatValue(limit.most, unit)}`;
}

/** Returns whether a row is within its limit, as a row without one always is. A value that is not a number is not. */
export function isMet({ value, limit }: Row): boolean {
  if (!limit) return true;
  return "least" in limit ? value >= limit.least : value <= limit.most;
}

/** Returns the value below which this share of all values is; `values` are sorted. */
export function quantile(values: Float64Array | readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}
