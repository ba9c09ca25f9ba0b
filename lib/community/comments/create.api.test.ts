import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
});
afterAll(() => h.close());

const comment = (user: TestUser, postId: string, content: string, parentId?: string | null) =>
  user.api.call(contract.comments.create, { postId, content, parentId });

describe("201", () => {
  it("fills every field and counts on the post; post and topic become active", async () => {
    const post = await makePost(owner, topicId);
    const user = await signIn(h);
    await addTo(h.db, topicId, user);
    const made = (await comment(user, post.id, "  Plain <b>text</b> & more\nline ")).comment;
    expect(made).toEqual({
      id: expect.any(String),
      postId: post.id,
      parentId: null,
      authorId: user.userId,
      authorNickname: user.nickname,
      authorProfileImage: null,
      anonymous: null,
      automated: false,
      authorDomains: [],
      content: "Plain <b>text</b> & more\nline",
      mentions: [],
      upvoteCount: 0,
      userVoted: null,
      createdAt: expect.any(String),
      updatedAt: made.createdAt,
      isDeleted: false,
      isHidden: false,
      isFolded: false,
      deletedBy: null,
      abilities: ["report", "edit", "delete"],
    });
    const page = await h.guest.call(contract.posts.get, { postId: post.id });
    expect(page.post.commentCount).toBe(1);
    expect(page.comments).toEqual([{ ...made, abilities: [] }]);
    const { topic } = await h.guest.call(contract.topics.get, { topicId });
    expect(topic.lastActivityAt).toBe(made.createdAt);
    const { posts } = await h.guest.call(contract.posts.list, { topicId, sort: "active", limit: 1 });
    expect(posts[0]?.id).toBe(post.id);
  });

  it("replies to a comment of the same post", async () => {
    const post = await makePost(owner, topicId);
    const first = (await comment(owner, post.id, "first")).comment;
    const reply = (await comment(owner, post.id, "reply", first.id)).comment;
    expect(reply.parentId).toBe(first.id);
    expect((await comment(owner, post.id, "top", null)).comment.parentId).toBeNull();
  });
});

describe("400", () => {
  it.each([
    ["nothing", {}],
    ["white space", { content: " \n " }],
    ["10,001 characters", { content: "x".repeat(10_001) }],
    ["a NUL byte", { content: "a\0b" }],
    ["a number", { content: 5 }],
    ["a parent that is no id", { content: "c", parentId: "x" }],
  ])("%s", async (_, body) => {
    const post = await makePost(owner, topicId);
    const answer = await h.send("POST", `/api/posts/${post.id}/comments`, { token: owner.token, body });
    expect([answer.status, Object(answer.body).code]).toEqual([400, "invalid_request"]);
  });
});

describe("404", () => {
  it("a parent of another post or none at all, and nothing is counted", async () => {
    const [post, other] = [await makePost(owner, topicId), await makePost(owner, topicId)];
    const elsewhere = (await comment(owner, other.id, "elsewhere")).comment;
    for (const parentId of [elsewhere.id, randomUUID()]) {
      expect(await refusalOf(comment(owner, post.id, "c", parentId))).toEqual({
        status: 404,
        code: "comment_not_found",
        field: "parentId",
      });
    }
    expect((await h.guest.call(contract.posts.get, { postId: post.id })).post.commentCount).toBe(0);
  });
});

describe("reading", () => {
  it("pages oldest first and repeats or skips nothing among equals", async () => {
    const post = await makePost(owner, topicId);
    const rows = Array.from({ length: 11 }, (_, i) => ({
      post_id: post.id,
      author_id: owner.userId,
      content: `c${i}`,
      created_at: new Date(i < 4 ? 1_000 : 2_000),
      updated_at: new Date(),
    }));
    await h.db.insertInto("comments").values(rows).execute();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await h.guest.call(contract.posts.get, { postId: post.id, limit: 3, cursor });
      seen.push(...page.comments.map((c) => c.content));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen.slice(0, 4).sort()).toEqual(["c0", "c1", "c2", "c3"]);
    expect([...seen].sort()).toEqual(rows.map((row) => row.content).sort());
    const bad = h.guest.call(contract.posts.get, { postId: post.id, cursor: "nonsense" });
    expect(await refusalOf(bad)).toMatchObject({ status: 400, field: "cursor" });
  });

  it("keeps a deleted comment in its place, without text and author", async () => {
    const post = await makePost(owner, topicId);
    const made = (await comment(owner, post.id, "regretted")).comment;
    await h.db
      .updateTable("comments")
      .set({ deleted_at: new Date(), deleted_by: "admin" })
      .where("id", "=", made.id)
      .execute();
    const page = await h.guest.call(contract.posts.get, { postId: post.id });
    expect(page.comments).toEqual([
      {
        ...made,
        content: "",
        authorId: null,
        authorNickname: null,
        isDeleted: true,
        deletedBy: "admin",
        abilities: [],
      },
    ]);
  });
});
