import { describe, expect, it } from "vitest";
import { text } from "./common";

describe("security F19: text for people", () => {
  it.each([
    ["zero-width spaces", "\u200b\u200b"],
    ["Hangul fillers", "\u3164\u115f\u1160\uffa0"],
    ["empty Braille cells", "\u2800\u2800"],
    ["joiners and selectors", "\u200d\ufe0f"],
    ["marks without a letter", "\u0301"],
    ["direction controls", "\u202e\u2066"],
    ["white space of several kinds", "\u00a0\u2003\u3000"],
  ])("refuses %s alone", (_, written) => {
    expect(text(100).safeParse(written).success).toBe(false);
  });

  it.each([
    ["a\u202egnp.exe", "agnp.exe"],
    ["\u2066 isolated \u2069", "isolated"],
    ["👩‍💻", "👩‍💻"],
    ["क्षि", "क्षि"],
    ["가 나", "가 나"],
    ["!", "!"],
  ])("keeps %j as %j", (written, kept) => {
    expect(text(100).parse(written)).toBe(kept);
  });
});
