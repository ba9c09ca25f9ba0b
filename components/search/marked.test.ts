import { describe, expect, it } from "vitest";
import { marked } from "./marked";

const shown = (text: string, q: string) =>
  marked(text, q)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join("");

describe("what was searched for, marked", () => {
  it("is found whatever its case, every time, the longer word first", () => {
    expect(shown("Seal the sealed seals.", "seal sealed")).toBe("[Seal] the [sealed] [seal]s.");
    expect(shown("두 개의 봉인", "봉인")).toBe("두 개의 [봉인]");
  });

  it("is text, not a pattern", () => {
    expect(shown("What? (really.)", "? (really.)")).toBe("What[?] [(really.)]");
    expect(shown("<b>bold</b>", "<b>")).toBe("[<b>]bold</b>");
    expect(shown("anything", "  ")).toBe("anything");
  });

  it("is not lost behind the fold of a long text", () => {
    const long = `${"word ".repeat(60)}needle in it`;
    expect(shown(long, "needle")).toMatch(/^…(word ){5,12}\[needle\] in it$/);
    expect(shown(long, "absent")).toBe(long);
  });
});
