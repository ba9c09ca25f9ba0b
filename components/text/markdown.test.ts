import { describe, expect, it } from "vitest";
import { type Block, type Inline, parseMarkdown, plainMarkdown } from "./markdown";

const text = (...of: string[]): Inline[] => of.map((one) => ({ kind: "text", text: one }));
const paragraph = (...of: string[]): Block => ({ kind: "paragraph", of: text(...of) });

describe("what comments know", () => {
  it("emphasis, code and ends of lines", () => {
    expect(parseMarkdown("a **b** *c* ~~d~~ `<e>`\nf")).toEqual([
      {
        kind: "paragraph",
        of: [
          ...text("a "),
          { kind: "strong", of: text("b") },
          ...text(" "),
          { kind: "em", of: text("c") },
          ...text(" "),
          { kind: "del", of: text("d") },
          ...text(" "),
          { kind: "code", text: "<e>" },
          { kind: "break" },
          ...text("f"),
        ],
      },
    ]);
  });

  it("quotes, lists and blocks of code", () => {
    expect(parseMarkdown("> q\n> r\n\nanswer\n\n- a\n- b\n\n3. c\n\n```js\nx < y\n```")).toEqual([
      { kind: "quote", of: [{ kind: "paragraph", of: [...text("q"), { kind: "break" }, ...text("r")] }] },
      paragraph("answer"),
      { kind: "list", start: null, items: [[paragraph("a")], [paragraph("b")]] },
      { kind: "list", start: 3, items: [[paragraph("c")]] },
      { kind: "code", text: "x < y" },
    ]);
  });

  it("links to the web, typed or named", () => {
    const link = (href: string, shown: string): Inline => ({ kind: "link", href, of: text(shown) });
    expect(parseMarkdown("[t](https://a.example/b) and https://a.example/?x=1&y=2).")).toEqual([
      {
        kind: "paragraph",
        of: [
          link("https://a.example/b", "t"),
          ...text(" and "),
          link("https://a.example/?x=1&y=2", "https://a.example/?x=1&y=2"),
          ...text(")."),
        ],
      },
    ]);
  });
});

describe("what stays as it was typed", () => {
  const shown = (blocks: readonly Block[]): string =>
    blocks
      .map((block) => (block.kind === "paragraph" ? block.of.map(flat).join("") : JSON.stringify(block)))
      .join();
  const flat = (part: Inline): string => (part.kind === "text" ? part.text : JSON.stringify(part));

  it.each([
    "[t](javascript:alert(1))",
    "[t](data:text/html,x)",
    "[t](/sign-out)",
    "![i](https://a.example/x.png)",
    "<b>x</b> &amp; me@a.example",
    "1 < 2 > 1",
    "snake_case_word",
  ])("%s", (typed) => {
    expect(shown(parseMarkdown(typed))).toBe(typed);
  });

  it.each(["# Heading", "---", "| a |\n|---|\n| b |", "<script>alert(1)</script>", "[a]: https://a.example"])(
    "the block %j",
    (typed) => {
      expect(parseMarkdown(typed)).toEqual([{ kind: "typed", text: typed }]);
    },
  );
});

// These take the parser up to 220 ms, or more levels than it can call itself for.
it.each([">", "> ", "1. ", "_a", "*", "[](", "*a **b "])("a text of nothing but %j is not parsed", (part) => {
  const whole = part.repeat(Math.ceil(10_000 / part.length));
  expect(parseMarkdown(whole)).toEqual([{ kind: "typed", text: whole }]);
});

it("a long letter is", () => {
  expect(parseMarkdown("A *word* of it.\n\n".repeat(200))).toHaveLength(200);
});

it("shows what is nested too deeply as it was typed", () => {
  const deep = `${">".repeat(40)} a`;
  const depthOf = (blocks: readonly Block[]): number =>
    Math.max(0, ...blocks.map((block) => (block.kind === "quote" ? 1 + depthOf(block.of) : 0)));
  expect(depthOf(parseMarkdown(deep))).toBe(6);
  expect(JSON.stringify(parseMarkdown(deep))).toContain(`${">".repeat(34)} a`);
});

it.each([
  ["**bold** and `code`", "bold and code"],
  ["> said\n\nanswered", "said answered"],
  ["- one\n- [two](https://a.example)", "one two"],
  ["1 < 2\nand *so* on", "1 < 2 and so on"],
  ["# kept as typed", "# kept as typed"],
])("without its marks, %j says what it says", (text, plain) => {
  expect(plainMarkdown(text)).toBe(plain);
});
