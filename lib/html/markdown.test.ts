import { describe, expect, it } from "vitest";
import { htmlOfMarkdown } from "./markdown";

const html = (text: string) => htmlOfMarkdown(text)?.replaceAll("\n", "");

describe("Markdown that is pasted", () => {
  it.each([
    ["# Title\n\n## Part\n\ntext", "<h2>Title</h2><h3>Part</h3><p>text</p>"],
    ["## Part\n\n##### Deep", "<h2>Part</h2><h4>Deep</h4>"],
    ["some **bold** and `code`", "<p>some <strong>bold</strong> and <code>code</code></p>"],
    ["- one\n- two", "<ul><li>one</li><li>two</li></ul>"],
    ["3. three\n4. four", '<ol start="3"><li>three</li><li>four</li></ol>'],
    ["- [x] done\n- [ ] open", "<ul><li>☑ done</li><li>☐ open</li></ul>"],
    ["> said", "<blockquote><p>said</p></blockquote>"],
    ["```ts\nconst a = 1 < 2;\n```", '<pre><code class="language-ts">const a = 1 &lt; 2;</code></pre>'],
    [
      "| a | b |\n|---|---|\n| 1 | **2** |",
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><strong>2</strong></td></tr></tbody></table>",
    ],
    ["[here](https://a.example)", '<p><a href="https://a.example">here</a></p>'],
    ["![alt](https://a.example/p.png)", '<p><img src="https://a.example/p.png" alt="alt"></p>'],
    ["a line\nand its rest *wrapped*", "<p>a lineand its rest <em>wrapped</em></p>"],
  ])("%j", (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it("keeps as text what posts have no form for", () => {
    expect(html("**a** ![x](http://a.example/p.png)")).toBe(
      "<p><strong>a</strong> ![x](http://a.example/p.png)</p>",
    );
    expect(html("**a** ![x](data:image/png;base64,AAAA)")).toContain("![x](data:image/png;base64,AAAA)");
  });

  it("lets no HTML through", () => {
    const hostile =
      '# a\n\n<img src=x onerror="alert(1)">\n\ntext <b onclick="x()">b</b> &lt;i&gt;\n\n<script>alert(1)</script>';
    const made = htmlOfMarkdown(hostile) ?? "";
    expect(made.match(/<[a-z/][^>]*>/gi)).toEqual([
      "<h2>",
      "</h2>",
      "<p>",
      "</p>",
      "<p>",
      "</p>",
      "<p>",
      "</p>",
    ]);
    expect(made).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(made).toContain("&lt;b onclick=");
  });
});

it.each([
  "A plain line.",
  "Two lines,\nof a letter.",
  "2 * 3 * 4 = 24, and snake_case_name",
  "https://a.example/some_page_here",
  "#hashtag and @ada",
  "",
  `**long** ${"a".repeat(200_000)}`,
])("any other text is none: %.40s", (text) => {
  expect(htmlOfMarkdown(text)).toBeNull();
});
