import { describe, expect, it } from "vitest";
import { proofState, reproveBy } from "./freshness";

const now = new Date("2026-11-22T12:00:00.000Z");
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);

describe("how long a proof is fresh", () => {
  it.each([
    [null, null],
    [30, inDays(30)],
    [365, inDays(365)],
  ])("%s days", (days, by) => {
    expect(reproveBy(now, days)).toEqual(by);
  });

  it.each([
    ["without a date", null, "current"],
    ["more than a week before it", new Date(inDays(7).getTime() + 1), "current"],
    ["a week before it", inDays(7), "due"],
    ["a moment before it", new Date(now.getTime() + 1), "due"],
    ["at it", now, "lapsed"],
  ] as const)("%s", (_, by, state) => {
    expect(proofState(by, now)).toBe(state);
  });
});
