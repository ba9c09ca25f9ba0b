import { describe, expect, it } from "vitest";
import { cpuMs, loopBudgetMs } from "@/lib/testing/budgets/cpu";
import { containsPattern, prefixPattern, searchText } from "./text-search";

describe("searchText", () => {
  it("lowers case beyond ASCII and separates texts", () => {
    expect(searchText("ÉCOLE", null, "Straße")).toBe("école\u0001straße");
  });

  it("security F1: 50,000 marks on one letter are fast, and only the first thirty count", async () => {
    const marked = `a${"\u0301\u0323".repeat(25_000)}`;
    expect(await cpuMs(() => searchText(marked))).toBeLessThan(loopBudgetMs);
    expect(searchText(marked)).toBe(searchText(`a${"\u0301\u0323".repeat(15)}`));
  });
});

describe("containsPattern", () => {
  it.each([
    [undefined, null],
    ["", null],
    ["   ", null],
    ["Zero", "%zero%"],
    ["100%", "%100\\%%"],
    ["a_b", "%a\\_b%"],
    ["back\\slash", "%back\\\\slash%"],
    ["nul\0byte", "%nulbyte%"],
  ])("%j", (query, pattern) => {
    expect(containsPattern(query)).toBe(pattern);
  });
});

describe("prefixPattern", () => {
  it.each([
    [undefined, null],
    [" ", null],
    ["Ada", "ada%"],
    ["a_b%", "a\\_b\\%%"],
  ])("%j", (query, pattern) => {
    expect(prefixPattern(query)).toBe(pattern);
  });
});
