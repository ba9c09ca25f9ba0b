import { describe, expect, it } from "vitest";
import { isBlank, plainText, sanitizePostHtml, shorten } from "./index";
import { isSafeHtml, xssPayloads } from "./testing";

const html = (input: string) => sanitizePostHtml(input).html;

describe("sanitizePostHtml keeps what posts are made of", () => {
  it.each([
    "<h2>Title</h2><h3>Part</h3><h4>Detail</h4>",
    "<p>One<br />two</p><hr />",
    "<p><strong>a</strong> <em>b</em> <s>c</s> <u>d</u> <code>e</code></p>",
    '<pre class="language-rust"><code class="language-rust">let a = 1 &lt; 2;</code></pre>',
    "<blockquote><p>quoted</p></blockquote>",
    "<ul><li><p>a</p></li></ul><ol><li>b</li></ol>",
    "<table><thead><tr><th><p>a</p></th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
    '<img src="https://example.com/a.png" alt="A &lt;cat&gt;" />',
    '<img src="/uploads/dev/posts/u_1/2/cat.png" />',
    '<img src="/uploads/dev/posts/u_1/2/cat.png" alt="" width="1200" height="800" />',
    '<p><a href="https://example.com/?a=1&amp;b=2" rel="nofollow ugc noopener">x</a></p>',
    '<p><a href="mailto:a@example.com" rel="nofollow ugc noopener">x</a></p>',
    "<p>한국어 😀 a &amp; b &lt; c</p>",
  ])("%s", (input) => {
    expect(html(input)).toBe(input);
  });
});

describe("sanitizePostHtml changes the rest", () => {
  it.each([
    ["<h1>a</h1><h6>b</h6>", "<h2>a</h2><h4>b</h4>"],
    ["<b>a</b><i>b</i><del>c</del><strike>d</strike>", "<strong>a</strong><em>b</em><s>c</s><s>d</s>"],
    ['<p onclick="x()" style="color:red" id="a" class="b">t</p>', "<p>t</p>"],
    ['<code class="language-js evil">a</code>', '<code class="language-js">a</code>'],
    [
      '<a href="https://a.example/" target="_blank" rel="opener">x</a>',
      '<a href="https://a.example/" rel="nofollow ugc noopener">x</a>',
    ],
    ['<a href="/relative">x</a>', "x"],
    ['<a href="//a.example/">x</a>', "x"],
    ["<a>x</a>", "x"],
    ['<img src="http://a.example/a.png">', ""],
    ...["0", "-1", "1e3", "100%", "123456", "1px", ""].map((width): [string, string] => [
      `<img src="https://a.example/a.png" width="${width}" height="100">`,
      '<img src="https://a.example/a.png" />',
    ]),
    ['<img src="/etc/passwd">', ""],
    ['<img src="/uploads/../api/auth/logout">', ""],
    [
      '<table style="width:9px"><colgroup><col></colgroup><tr><td colspan="2" onclick="x()">cell</td></tr></table>',
      "<table><tr><td>cell</td></tr></table>",
    ],
    ["a<script>alert(1)</script>b<style>*{}</style>c", "abc"],
    ["<!-- comment -->a", "a"],
    ["<p>unclosed", "<p>unclosed</p>"],
  ])("%s", (input, output) => {
    expect(html(input)).toBe(output);
  });

  it("says when an image carries its bytes", () => {
    for (const src of ["data:image/png;base64,AAAA", " DATA:image/png,", "da\nta:image/svg+xml,<svg>"]) {
      expect(sanitizePostHtml(`<p>x</p><img src="${src}">`)).toEqual({
        html: "<p>x</p>",
        hasInlineImage: true,
      });
    }
    expect(sanitizePostHtml("<p>data: is a word</p>").hasInlineImage).toBe(false);
  });

  it("keeps the text of hostile nesting without following it", () => {
    const deep = `${"<blockquote>".repeat(5_000)}deep${"</blockquote>".repeat(5_000)}`;
    const kept = html(deep);
    expect(plainText(kept)).toBe("deep");
    expect(kept.match(/<blockquote>/g)?.length).toBeLessThanOrEqual(40);
  });

  it("takes no longer than a read for 50,000 hostile characters", () => {
    const started = performance.now();
    for (const hostile of ["<", "<a ", "<a href='", "&", "<!--", "</", '<img src="data:'])
      html(hostile.repeat(50_000 / hostile.length));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("scripts do not survive", () => {
  it.each(xssPayloads)("%s", (payload) => {
    const once = html(payload);
    expect(isSafeHtml(once), once).toBe(true);
    expect(html(once)).toBe(once);
  });

  // The checker itself must notice what it is there for.
  it.each([
    "<script>",
    '<p onclick="x">',
    '<a href="javascript:x">',
    '<img src="data:x">',
    "<svg>",
    "<p style='x'>",
  ])("the checker refuses %s", (bad) => {
    expect(isSafeHtml(bad)).toBe(false);
  });
});

describe("plainText", () => {
  it("reads like the page: blocks apart, tags gone, entities read once", () => {
    expect(plainText("<table><tr><th>a</th><td>b</td></tr></table>")).toBe("a b");
    expect(plainText("<p>a <strong>b</strong>c</p><p>d<br />e</p><p>&amp;lt; &lt;p&gt;</p>")).toBe(
      "a bc d e &lt; <p>",
    );
  });
});

describe("shorten", () => {
  it("counts characters and never cuts one in half", () => {
    expect(shorten("😀".repeat(280), 280)).toBe("😀".repeat(280));
    const cut = shorten("😀".repeat(281), 280);
    expect([...cut]).toHaveLength(280);
    expect(cut).toBe(`${"😀".repeat(279)}…`);
  });
});

describe("isBlank", () => {
  it.each([
    ["", true],
    ["<p> \u00a0\u200b</p>", true],
    ["<p><br /></p>", true],
    ["<p>\u3164\u2800</p>", true],
    ["<p>a</p>", false],
    ['<img src="https://a.example/a.png" />', false],
  ])("%j", (input, blank) => {
    expect(isBlank(input)).toBe(blank);
  });
});
