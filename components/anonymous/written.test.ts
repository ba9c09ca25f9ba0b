import { describe, expect, it } from "vitest";
import { contentWithPictures } from "@/lib/client/anonymous/send-pictures";
import { prepareExactContent } from "@/lib/community/posts/content";
import { readTags } from "@/lib/community/posts/tags";
import { sanitizePostHtml } from "@/lib/html/sanitize";
import { diskStorage } from "@/lib/storage/disk";
import { tagsIn, writtenComment, writtenPost } from "./written";

const topicId = "6f0a1c9e-8d57-4b1e-9a43-0c5d2b7e1f01";
const key = `test/posts/anonymous/${topicId}/${"A".repeat(43)}.webp`;
const src = `/uploads/${key}`;
const storage = diskStorage({
  ...{ folder: "/nowhere", env: "test", appUrl: "http://localhost:3000" },
  ...{ secrets: [new Uint8Array(32)], now: () => new Date() },
});
const contentOf = (text: string) => {
  const act = writtenPost(topicId, { title: "Heard", text, tags: "", pictures: [] });
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
  ])("is exactly what the server stores: %j", async (text) => {
    const content = contentOf(text);
    expect((await prepareExactContent({ storage }, content, "anonymous")).html).toBe(content);
    const alt = `${text.slice(0, 20)} "quoted" <b> & 'more'`;
    const pictures = [{ bytes: new Uint8Array(), type: "image/webp", alt, src }];
    const pictured = contentWithPictures({ content, pictures }, (html) => sanitizePostHtml(html).html);
    const stored = await prepareExactContent({ storage }, pictured, "anonymous");
    expect(stored).toMatchObject({ html: pictured, uploads: [key] });
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
      pictures: [],
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
      expect(writtenPost(topicId, { title, text, tags: "", pictures: [] })).toBeNull();
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
