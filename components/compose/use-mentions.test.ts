import { describe, expect, it } from "vitest";
import { mentionAtEnd, withMention } from "./use-mentions";

describe("whom a text names at its end", () => {
  it.each([
    ["@", { typed: "", from: 0 }],
    ["Ask @be", { typed: "be", from: 4 }],
    ["(@be", { typed: "be", from: 1 }],
    ["안녕 @be_1", { typed: "be_1", from: 3 }],
    ["\ufffc@be", { typed: "be", from: 1 }],
  ])("%s", (text, query) => expect(mentionAtEnd(text)).toEqual(query));

  // As the server: the tail of a word, of an address or of a path names nobody.
  it.each(["", "be", "ada@be", "한@be", "a_@be", "/@be", "@@be", "@be la", `@${"b".repeat(21)}`])(
    "nobody: %s",
    (text) => expect(mentionAtEnd(text)).toBeNull(),
  );
});

describe("a nickname in the place of what was typed", () => {
  it("goes where the caret is, a space behind it", () => {
    expect(withMention("Ask @be about", { typed: "be", from: 4 }, 7, "bela")).toEqual({
      text: "Ask @bela about",
      caret: 10,
    });
    expect(withMention("@be", { typed: "be", from: 0 }, 3, "bela")).toEqual({ text: "@bela ", caret: 6 });
    expect(withMention("@be.", { typed: "be", from: 0 }, 3, "bela")).toEqual({ text: "@bela .", caret: 6 });
  });
});
