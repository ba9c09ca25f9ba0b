import { describe, expect, it } from "vitest";
import { prepareExactContent } from "@/lib/community/posts/content";
import { readTags } from "@/lib/community/posts/tags";
import { tagsIn, writtenComment, writtenPost } from "./written";

const topicId = "6f0a1c9e-8d57-4b1e-9a43-0c5d2b7e1f01";
const contentOf = (text: string) => {
  const act = writtenPost(topicId, { title: "Heard", text, tags: "" });
  if (act?.kind !== "post") throw new Error("not a post");
  return act.content;
};

describe("a post without a name", () => {
  it.each([
    "The plan is **late**.\nBy a month.\n\nAnother paragraph.",
    "- one\n- two & <three>\n\n1. first\n2. second",
    "# Large\n\n## Smaller\n\n> said\n> twice\n\n```js\nconst a = '<b>' && \"c\";\n```",
    "[link](https://a.example/?b=1&c=2), https://d.example/e and `code`",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "<script>alert(1)</script> <b onclick=x>bold</b> &amp; &nbsp; é 한글 🌹",
    "Zero\u200bwidth, non\u00a0breaking, \u2028 line, 'quotes' \"double\"",
  ])("is exactly what the server stores: %j", (text) => {
    const content = contentOf(text);
    expect(prepareExactContent(content).html).toBe(content);
  });

  it("keeps line breaks, and shows pictures and HTML as text", () => {
    expect(contentOf("One\ntwo")).toBe("<p>One<br />two</p>");
    expect(contentOf("![map](https://a.example/b.png)")).toContain("![map](");
    expect(contentOf("<i>said</i>")).not.toContain("<i>");
  });

  it("has the server's title and tags", () => {
    const act = writtenPost(topicId, {
      title: "  A \u202etitle ",
      text: "Text",
      tags: "#Plans, plans,, late , *",
    });
    expect(act).toMatchObject({ kind: "post", topicId, title: "A title", tags: ["Plans", "late"] });
    const many = tagsIn("a, b, c, d, e, f");
    expect(many).toEqual(["a", "b", "c", "d", "e"]);
    expect(readTags(many).map(({ name }) => name)).toEqual(many);
  });

  it("is none without a title or a text", () => {
    for (const [title, text] of [
      ["", "Text"],
      [" \u200b", "Text"],
      ["Title", " \n "],
    ] as const)
      expect(writtenPost(topicId, { title, text, tags: "" })).toBeNull();
  });
});

it("a comment without a name is as the server stores it, and none without a text", () => {
  const place = { topicId, postId: topicId, parentId: null };
  expect(writtenComment(place, "  Quite\u202e so. ")).toEqual({
    kind: "comment",
    ...place,
    content: "Quite so.",
  });
  expect(writtenComment(place, " \n")).toBeNull();
});
