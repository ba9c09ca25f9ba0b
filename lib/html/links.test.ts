import { describe, expect, it } from "vitest";
import { linksOnTheirOwn, sanitizePostHtml } from "./index";

const a = (href: string, text: string) => `<a href="${href}">${text}</a>`;
const one = "https://example.com/a?b=1&amp;c=2";
const address = "https://example.com/a?b=1&c=2";

describe("links that get a card", () => {
  it.each([
    ["alone in a paragraph", `<p>Words.</p><p>${a(one, "a page")}</p>`, [address]],
    ["alone on a line", `<p>Words.<br />${a(one, "a page")} </p>`, [address]],
    ["alone in a list", `<ul><li>${a(one, "a page")}</li></ul>`, [address]],
    ["alone below words", `<ul><li>Words<ul><li>${a(one, "a page")}</li></ul></li></ul>`, [address]],
    ["with something in it", `<p>${a(one, "a <strong>page</strong>")}</p>`, [address]],
    ["shown as its address", `<p>See ${a(one, one)} for more</p>`, [address]],
    [
      "shown without scheme",
      `<p>See ${a("https://example.com/", "example.com")} there</p>`,
      ["https://example.com/"],
    ],
    ["outside of everything", a(one, "a page"), [address]],
    ["twice", `<p>${a(one, "a page")}</p><p>${a(one, "again")}</p>`, [address]],
  ])("%s", (_, html, links) => {
    expect(linksOnTheirOwn(html)).toEqual(links);
  });
});

describe("links that get none", () => {
  it.each([
    ["in a sentence", `<p>See ${a(one, "this page")} for more</p>`],
    ["two in a paragraph", `<p>${a(one, "this")} ${a("https://example.org/", "that")}</p>`],
    ["mail", `<p>${a("mailto:a@example.com", "a@example.com")}</p>`],
    ["ours", `<p>${a("https://parley.example/topics/1", "a topic")}</p>`],
    ["no address", "<p>https://example.com/</p>"],
    ["a link around nothing beside words", `<p>words ${a(one, "")}</p>`],
  ])("%s", (_, html) => {
    expect(linksOnTheirOwn(html, ["https://parley.example"])).toEqual([]);
  });

  it("the fourth and those after it", () => {
    const html = [1, 2, 3, 4, 5].map((n) => `<p>${a(`https://example.com/${n}`, "x")}</p>`).join("");
    expect(linksOnTheirOwn(html)).toEqual([1, 2, 3].map((n) => `https://example.com/${n}`));
  });
});

it("a post of 50,000 hostile characters is read at once", () => {
  const html = sanitizePostHtml(`<p>${'<a href="https://example.com/">x'.repeat(1_500)}`).html;
  const began = performance.now();
  linksOnTheirOwn(html);
  expect(performance.now() - began).toBeLessThan(1_000);
});
