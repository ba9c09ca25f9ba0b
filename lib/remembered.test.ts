import { expect, it } from "vitest";
import { remembered } from "./remembered";

it("what is remembered is asked once for all who come within its time, and again after it", async () => {
  let asked = 0;
  let now = 1_000;
  const ask = remembered(
    5_000,
    async () => (asked += 1),
    () => now,
  );
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  now += 4_999;
  expect(await ask()).toBe(1);
  now += 1;
  expect(await ask()).toBe(2);
});

it("a failure is not remembered", async () => {
  let fails = true;
  const ask = remembered(5_000, async () => {
    if (fails) throw new Error("away");
    return "here";
  });
  await expect(ask()).rejects.toThrow("away");
  fails = false;
  expect(await ask()).toBe("here");
});
