import { describe, expect, it } from "vitest";
import { textParts } from "./parts";

const links = (text: string) =>
  textParts(text, { links: true }).flatMap((part) => (part.kind === "link" ? [part.href] : []));
const mentions = (text: string, names = ["ada_l", "Bela"]) =>
  textParts(text, { names }).flatMap((part) => (part.kind === "mention" ? [part.nickname] : []));

describe("addresses in a text", () => {
  it("are links without what the sentence puts around them", () => {
    expect(links("See https://a.example/x, and (https://b.example/y_(z)).")).toEqual([
      "https://a.example/x",
      "https://b.example/y_(z)",
    ]);
    expect(links("HTTP://C.example 그리고 https://d.example/한국")).toEqual([
      "http://c.example/",
      "https://d.example/%ED%95%9C%EA%B5%AD",
    ]);
  });

  it("are of the web and nothing else", () => {
    expect(
      links(
        "javascript:alert(1) data:text/html,x https:// http://[ ftp://a.example javascript://https://%0aalert(1)",
      ),
    ).toEqual([]);
    const [, link] = textParts('<a href="https://a.example/"onmouseover="x">', { links: true });
    expect(link).toEqual({ kind: "link", text: "https://a.example/", href: "https://a.example/" });
  });

  it("lose nothing of the text", () => {
    const text = "a https://b.example. @ada_l c https://d.example/@bela";
    const parts = textParts(text, { links: true, names: ["ada_l", "bela"] });
    expect(parts.map((part) => part.text).join("")).toBe(text);
    expect(parts.map((part) => part.kind)).toEqual(["text", "link", "text", "mention", "text", "link"]);
  });
});

describe("people named in a text", () => {
  it("are those the server found, in any case", () => {
    expect(mentions("@Ada_L and @bela, not @cleo")).toEqual(["ada_l", "Bela"]);
  });

  it("are not in the middle of words, addresses or longer names", () => {
    expect(mentions("x@bela /@bela @bela2 @bela@host @@bela 가@bela @bela가")).toEqual([]);
  });
});
