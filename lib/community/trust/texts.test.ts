import { describe, expect, it } from "vitest";
import { normalized, usageOfPost, usageOfText } from "./texts";

describe("what a text contains", () => {
  it("counts addresses and mentions of plain text", () => {
    expect(usageOfText("Hi @ada_l and @bob_m: https://a.example/x, HTTP://b.example")).toEqual({
      links: 2,
      images: 0,
      mentions: 2,
    });
    expect(usageOfText("Version 2.0 of example.com")).toEqual({ links: 0, images: 0, mentions: 0 });
  });

  it("counts links once, addresses beside them, videos as links, and pictures wherever they are", () => {
    const html =
      '<p><a href="https://a.example">https://a.example</a> https://b.example</p><p>https://c.example</p><img src="/uploads/x.png" alt="">';
    const media = { images: ["https://d.example/e.png"], videos: ["https://youtu.be/x"] };
    expect(usageOfPost(html, media)).toEqual({ links: 4, images: 2, mentions: 0 });
    expect(usageOfPost("<p>@ada_l <strong>@bob_m</strong> <code>@no_one</code></p>").mentions).toBe(2);
  });
});

it("texts that read the same are the same", () => {
  const said = normalized("Buy gold now, cheap!");
  for (const alike of ["buy  GOLD now -- cheap", "Buy\u200b gold\nnow: cheap.", "\uff22uy gold now cheap"]) {
    expect(normalized(alike)).toBe(said);
  }
  expect(normalized("Buy gold now, cheaply!")).not.toBe(said);
  // Inside a word, an invisible character must not split it.
  expect(normalized("Buy go\u200bld now, cheap!")).toBe(said);
  expect(normalized("금을 싸게 사세요!")).toBe("금을 싸게 사세요");
});

it("a letter with thousands of marks keeps thirty, since sorting them all takes seconds", () => {
  expect(normalized(`a${"\u0315".repeat(50_000)}`)).toBe(`a${"\u0315".repeat(30)}`);
});
