import { describe, expect, it } from "vitest";
import { cpuMs, loopBudgetMs } from "@/lib/testing/budgets/cpu";
import { bytesOfDataUri } from "./data-uri";

const uri = (text: string) => `data:image/png;base64,${text}`;

describe("security F1: base64 of a data URI", () => {
  it.each([
    ["", ""],
    ["AAAA", "000000"],
    ["AA==", "00"],
    [" A A = \n= ", "00"],
  ])("%j is read", async (text, hex) => {
    expect((await bytesOfDataUri(uri(text), "image")).toString("hex")).toBe(hex);
  });

  it.each(["!", "AA===", "A=A", "=A=", "AA==!", "\u2028!"])("%j is refused", async (text) => {
    await expect(bytesOfDataUri(uri(text), "image")).rejects.toMatchObject({ code: "upload_damaged" });
  });

  it.each([
    ["white space", (n: number) => `${" ".repeat(n)}!`],
    ["letters and white space", (n: number) => `${"A ".repeat(n / 2)}!`],
    ["padding and white space", (n: number) => `A=${" ".repeat(n)}!`],
    ["padding", (n: number) => "=".repeat(n)],
  ])("60,000 hostile characters are fast: %s", async (_, text) => {
    const work = () =>
      expect(bytesOfDataUri(uri(text(60_000)), "image")).rejects.toMatchObject({ code: "upload_damaged" });
    expect(await cpuMs(work)).toBeLessThan(loopBudgetMs);
  });
});
