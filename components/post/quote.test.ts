import { expect, it } from "vitest";
import { parseMarkdown } from "@/components/text/markdown";
import { withQuote } from "./quote";

it.each([
  ["", "One line.", "> One line.\n\n"],
  ["", " Two\n\nlines. ", "> Two\n>\n> lines.\n\n"],
  ["Written. ", "Quoted.", "Written.\n\n> Quoted.\n\n"],
  ["", "> An earlier quote", "> > An earlier quote\n\n"],
])("%j and a quote of %j", (written, quoted, both) => {
  expect(withQuote(written, quoted)).toBe(both);
});

it("is a quote in a comment, and what follows is the answer", () => {
  const kinds = parseMarkdown(`${withQuote("Before.", "A\n\nB")}The answer.`).map(({ kind }) => kind);
  expect(kinds).toEqual(["paragraph", "quote", "paragraph"]);
});
