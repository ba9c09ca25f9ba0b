import { describe, expect, it } from "vitest";
import { namesInHtml, namesInText } from "./find";

describe("mentions in plain text", () => {
  it.each([
    ["@ada", ["ada"]],
    ["Hello @Ada_1, and (@BOB)! @ada_1 again.", ["ada_1", "bob"]],
    ["line\n@ada\n@bob", ["ada", "bob"]],
    ["thanks.@ada", ["ada"]],
    ["ada@host.example", []],
    ["é@ada 7@ada _@ada", []],
    ["https://site.example/@ada", []],
    ["@@ada", []],
    ["@ada@host.example", []],
    ["@a", []],
    [`@${"a".repeat(20)} @${"b".repeat(21)}`, ["a".repeat(20)]],
    ["@adaé", []],
    ["@ ada", []],
    ["", []],
  ])("%j", (text, names) => {
    expect(namesInText(text)).toEqual(names);
  });

  it("looks at fifty names at most, however long the text", () => {
    const text = Array.from({ length: 5_000 }, (_, i) => `@user${i}`).join(" ");
    expect(namesInText(text)).toHaveLength(50);
  });

  it("takes no longer for a hostile text", () => {
    const started = performance.now();
    namesInText("@".repeat(50_000));
    namesInText(`@${"a".repeat(50_000)}`);
    namesInText("a@".repeat(25_000));
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe("mentions in post HTML", () => {
  it.each([
    ["<p>@ada</p><p>and @bob</p>", ["ada", "bob"]],
    ["<p>Hello</p><p>@ada</p>", ["ada"]],
    ["<p>x<br>@ada</p><ul><li>@bob</li></ul>", ["ada", "bob"]],
    ["<p><strong>@ada</strong></p>", ["ada"]],
    ["<p>@a<em>da</em></p>", ["ada"]],
    ["<p>mail<em>@ada</em></p>", []],
    ["<p><code>@ada</code></p><pre><code>@bob</code></pre>", []],
    ['<p><a href="https://x.example">@ada</a> @bob</p>', ["bob"]],
    ['<p><a href="https://x.example"><strong>@ada</strong></a></p>', []],
    ['<p><img src="https://x.example/@ada.png" alt="@bob"></p>', []],
    ["<p>&#64;ada &lt;@bob&gt; &amp;@eve</p>", ["ada", "bob", "eve"]],
    ["<p>no names</p>", []],
  ])("%s", (html, names) => {
    expect(namesInHtml(html)).toEqual(names);
  });
});
