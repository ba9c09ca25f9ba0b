import { expect, it } from "vitest";
import { amountOf, dollars } from "./token-money";

it("reads typed dollars to the cent, up to the limit, and writes them", () => {
  const read = (typed: string) => amountOf(typed, 1_000_000_000);
  expect(["", "0", "0.1", "0,10", " 2.50 ", "1000", ".5"].map(read)).toEqual([
    ...[0, 0, 100_000, 100_000, 2_500_000, 1_000_000_000, 500_000],
  ]);
  expect(["-1", "1e3", "0.001", "1000.01", "one", "1 000", "0x10"].map(read)).toEqual(Array(7).fill(null));
  expect([0, 100_000, 2_500_000].map(dollars)).toEqual(["0.00", "0.10", "2.50"]);
});
