import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";

/** Agents write Markdown: with `format` it means what it says. */
let h: Harness;
let owner: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner, "public")).id;
});
afterAll(async () => await h.close());

const markdown = "## Plan\n\n- **one**\n- two\n\nA line,\nand `code` <script>alert(1)</script>";
const format = "markdown" as const;
const meant = (html: string) => html.replaceAll("\n", "");

const send = (body: unknown) => h.send("POST", `/api/topics/${topicId}/posts`, { token: owner.token, body });

describe("content as Markdown", () => {
  it("is stored as the HTML it means; HTML in it stays text", async () => {
    const input = { topicId, title: "Markdown", content: markdown, format };
    const { post } = await owner.api.call(contract.posts.create, input);
    expect(meant(post.content)).toBe(
      "<h2>Plan</h2><ul><li><strong>one</strong></li><li>two</li></ul><p>A line,<br />and <code>code</code> &lt;script&gt;alert(1)&lt;/script&gt;</p>",
    );
    expect(post.summary).toContain("Plan");
  });

  it("replaces the text of a post", async () => {
    const post = await makePost(owner, topicId);
    const { post: changed } = await owner.api.call(contract.posts.update, {
      postId: post.id,
      content: "now *so*",
      format,
    });
    expect(meant(changed.content)).toBe("<p>now <em>so</em></p>");
  });

  it("takes long lines of dashes and stars for what they are", async () => {
    const content = `Title\n${"-".repeat(60)}\n\n${"*".repeat(60)}\n\n| a | b |\n|${"-".repeat(30)}|---|\n| 1 | 2 |`;
    const { post } = await owner.api.call(contract.posts.create, {
      topicId,
      title: "Lines",
      content,
      format,
    });
    expect(meant(post.content)).toMatch(/^<h2>Title<\/h2><hr \/>/);
  });

  it("waits for its time as HTML", async () => {
    const publishAt = new Date(Date.now() + 3_600_000).toISOString();
    const { scheduled } = await owner.api.call(contract.scheduled.create, {
      topicId,
      title: "Later",
      content: "**then**",
      format,
      publishAt,
    });
    expect(meant(scheduled.post.content)).toBe("<p><strong>then</strong></p>");
  });

  it("without `format` it is HTML, as before", async () => {
    const { post } = await owner.api.call(contract.posts.create, {
      topicId,
      title: "HTML",
      content: "<p>**not**</p>",
    });
    expect(post.content).toBe("<p>**not**</p>");
  });

  it.each([
    ["longer than a post", "a".repeat(LIMITS.post.html + 1), /longer than/],
    ["with more marks than anybody writes", "*a_".repeat(16_000), /too many Markdown marks/],
    ["nested deeper than anybody nests", "> ".repeat(20_000), /too many Markdown marks/],
    ["nested, line by line", "1. - > * ".repeat(5), /too many Markdown marks/],
  ])("400 for a text %s", async (_, content, reason) => {
    const { status, body } = await send({ title: "Heavy", content, format });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: "invalid_request", field: "content", error: expect.stringMatching(reason) },
    });
  });

  it("400 for a format that is none", async () => {
    const { body } = await send({ title: "T", content: "c", format: "bbcode" });
    expect(body).toMatchObject({ code: "invalid_request", field: "format" });
  });
});
