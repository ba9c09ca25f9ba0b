import { expect, it } from "vitest";
import { formatLimit, formatValue, isMet, quantile, type Row } from "./row";

const row = (value: number, limit?: Row["limit"]): Row => ({ name: "x", value, unit: "ratio", limit });

it("values have the digits of their unit", () => {
  expect([formatValue(0.7049, "ratio"), formatValue(12_345.6, "/s"), formatValue(1.25, "KiB")]).toEqual([
    "0.70",
    "12,346/s",
    "1.3 KiB",
  ]);
});

it("a limit is met by itself, and by nothing that is not a number", () => {
  expect([isMet(row(0.7, { least: 0.7 })), isMet(row(0.69, { least: 0.7 }))]).toEqual([true, false]);
  expect([isMet(row(5, { most: 5 })), isMet(row(5.01, { most: 5 }))]).toEqual([true, false]);
  expect([isMet(row(Number.NaN, { least: 1 })), isMet(row(Number.NaN, { most: 1 }))]).toEqual([false, false]);
  expect(isMet(row(1e9))).toBe(true);
});

it("a limit says in which direction", () => {
  expect([
    formatLimit(row(1, { least: 0.7 })),
    formatLimit(row(1, { most: 2 })),
    formatLimit(row(1)),
  ]).toEqual(["at least 0.70", "at most 2.00", ""]);
});

it("quantiles of sorted values", () => {
  const values = Array.from({ length: 100 }, (_, i) => i + 1);
  expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([51, 100, 100]);
  expect(quantile([7], 0.99)).toBe(7);
  expect(quantile([], 0.5)).toBeNaN();
});
