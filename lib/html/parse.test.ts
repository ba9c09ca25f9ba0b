import { expect, it } from "vitest";
import { cpuMs, loopBudgetMs } from "@/lib/testing/budgets/cpu";
import { replaceImages, TooLong } from "./images";
import { maxNesting, TooDeep } from "./parse";

const nested = (depth: number) => `<img src=x>${"<b>".repeat(depth)}x${"</b>".repeat(depth)}`;

it("security F2: HTML is read a hundred elements deep, and no deeper", async () => {
  await replaceImages(nested(maxNesting), () => null);
  // Void elements open nothing, and what was closed does not count.
  await replaceImages("<img src=x><br><p>".repeat(1_000), () => null);
  await expect(replaceImages(nested(maxNesting + 1), () => null)).rejects.toThrow(TooDeep);
});

it("security F2: 450 KB of nested elements take no time", async () => {
  const hostile = `<img src=x>${"<b>".repeat(150_000)}`;
  const work = () => replaceImages(hostile, () => null).catch(() => undefined);
  expect(await cpuMs(work)).toBeLessThan(loopBudgetMs);
});

it("security F2: text that is too long without its images is not read to its end", async () => {
  const keep = () => () => "";
  const image = `<img src="data:image/png;base64,${"A".repeat(1_000_000)}">`;
  await replaceImages(`${image}${"a".repeat(100)}`, keep, 200);
  await expect(replaceImages(`${image}${"a".repeat(201)}`, keep, 200)).rejects.toThrow(TooLong);
  let read = 0;
  const count = () => {
    read += 1;
    return null;
  };
  await expect(replaceImages("<img src=x>".repeat(100_000), count, 200)).rejects.toThrow(TooLong);
  expect(read).toBeLessThan(10_000);
});
