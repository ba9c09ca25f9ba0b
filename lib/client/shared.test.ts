import { describe, expect, it } from "vitest";
import { readShared, sharedHtml, sharedQuery } from "./shared";

describe("what other apps share", () => {
  it("is text, whatever it looks like", () => {
    const shared = readShared({
      title: " A\nfind ",
      text: `<img src=x onerror="alert(1)"> & more\n\nsecond line`,
      url: "https://example.com/a?b=1&c=<2>",
    });
    expect(shared?.title).toBe("A find");
    expect(shared && sharedHtml(shared)).toBe(
      "<p>&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; more</p><p>second line</p>" +
        "<p>https://example.com/a?b=1&amp;c=&lt;2&gt;</p>",
    );
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "not an address"])("leads nowhere else: %s", (url) => {
    expect(readShared({ url })).toBeNull();
  });

  it("names an address once", () => {
    const shared = readShared({ text: "look: https://example.com/a", url: "https://example.com/a" });
    expect(shared && sharedHtml(shared)).toBe("<p>look: https://example.com/a</p>");
  });

  it("is cut to what an address carries, and handed on as it is", () => {
    const shared = readShared({ title: "t".repeat(300), text: "x".repeat(9000) });
    expect([shared?.title.length, shared?.text.length]).toEqual([200, 4000]);
    const query = sharedQuery(readShared({ title: "a&b", text: "c d" }));
    expect(query).toBe("?title=a%26b&text=c+d");
    expect(sharedQuery(readShared({ title: ["a", "b"] }))).toBe("");
  });
});
