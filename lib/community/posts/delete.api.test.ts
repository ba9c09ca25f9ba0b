import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { globalAdmin, staffActs, tagCounts } from "./testing";

let h: Harness;
let owner: TestUser;
let author: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  author = await signIn(h, "author");
  topicId = (await makeTopic(owner)).id;
  await addTo(h.db, topicId, author);
});
afterAll(() => h.close());

const remove = (postId: string, user = author) => user.api.call(contract.posts.delete, { postId });

/** A post with everything a post can have, and another user's vote, reaction, bookmark and comment. */
async function fullPost() {
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title: "Findable",
    content: "<p>Findable words</p>",
    tags: ["deleted"],
    media: { images: ["https://example.com/a.png"] },
    poll: { options: ["A", "B"] },
  });
  const postId = post.id;
  await owner.api.call(contract.posts.vote, { postId, value: 1 });
  await owner.api.call(contract.posts.react, { postId, emoji: "\u{1F525}" });
  await owner.api.call(contract.posts.bookmark, { postId });
  await owner.api.call(contract.posts.votePoll, { postId, optionIds: [post.poll?.options[0]?.id ?? ""] });
  await owner.api.call(contract.posts.pin, { postId });
  const { comment } = await owner.api.call(contract.comments.create, { postId, content: "findable talk" });
  return { post, postId, comment };
}

const count = async (table: string, column: string, id: string) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(h.db);
  return rows[0]?.n;
};

describe("200", () => {
  it("leaves the page with its comments and counts, and nothing of what was written", async () => {
    const { post, postId, comment } = await fullPost();
    const postsBefore = (await h.guest.call(contract.topics.get, { topicId })).topic.postCount;
    expect(await remove(postId)).toEqual({ id: postId, isDeleted: true, success: true });

    const page = await h.guest.call(contract.posts.get, { postId });
    expect(page.post).toEqual({
      ...post,
      abilities: [],
      title: "",
      content: "",
      summary: "",
      tags: [],
      media: { images: [], videos: [] },
      poll: null,
      isPinned: false,
      isDeleted: true,
      deletedAt: expect.any(String),
      updatedAt: expect.any(String),
      upvoteCount: 1,
      commentCount: 1,
      viewCount: 1,
      score: expect.any(Number),
      reactions: [{ emoji: "\u{1F525}", count: 1, userReacted: false }],
    });
    expect(page.comments.map((c) => [c.id, c.content])).toEqual([[comment.id, "findable talk"]]);
    // Not only unseen: gone from the rows.
    const row = await h.db
      .selectFrom("posts")
      .select(["title", "content", "summary", "media", "deleted_by"])
      .where("id", "=", postId)
      .executeTakeFirst();
    const media = { images: [], videos: [] };
    expect(row).toEqual({ title: "", content: "", summary: "", media, deleted_by: author.userId });
    for (const table of ["polls", "post_search", "post_tags", "bookmarks"]) {
      expect(await count(table, "post_id", postId), table).toBe(0);
    }
    expect(await count("poll_votes", "poll_id", post.poll?.id ?? "")).toBe(0);
    // Topic and tags no longer count it; its own counts equal their rows.
    expect((await h.guest.call(contract.topics.get, { topicId })).topic.postCount).toBe(postsBefore - 1);
    expect(await tagCounts(h.db, "deleted", topicId)).toEqual({ open: [0, 0], topic: [0, 0] });
    expect([await count("votes", "post_id", postId), await count("reactions", "post_id", postId)]).toEqual([
      1, 1,
    ]);
  });

  it("leaves every list", async () => {
    const { postId } = await fullPost();
    await remove(postId);
    const ids = (list: { posts: { id: string }[] }) => list.posts.map((post) => post.id);
    expect(ids(await h.guest.call(contract.posts.list, { topicId, limit: 100 }))).not.toContain(postId);
    expect(ids(await h.guest.call(contract.feed.list, { limit: 100 }))).not.toContain(postId);
    expect(ids(await author.api.call(contract.my.posts, { limit: 100 }))).not.toContain(postId);
    expect(ids(await owner.api.call(contract.my.likes, { limit: 100 }))).not.toContain(postId);
    expect(ids(await owner.api.call(contract.my.bookmarks, { limit: 100 }))).not.toContain(postId);
    const found = await author.api.call(contract.search.all, { q: "findable" });
    expect([ids(found), found.comments]).toEqual([[], []]);
  });

  it("recalculates the topic's score", async () => {
    const topic = await makeTopic(owner);
    const { id } = await makePost(owner, topic.id);
    await h.idle();
    const score = async () => (await h.guest.call(contract.topics.get, { topicId: topic.id })).topic.score;
    const before = await score();
    await remove(id, owner);
    await h.idle();
    expect(before - (await score())).toBeCloseTo(3, 3);
  });

  it("is logged when it was not the author: owner, admin, global admin", async () => {
    const topic = await makeTopic(owner, "private");
    for (const user of [author]) await addTo(h.db, topic.id, user);
    const admin = await signIn(h);
    await addTo(h.db, topic.id, admin, "admin");
    const global = await globalAdmin(h);
    const post = () => makePost(author, topic.id);
    const [a, b, c, own] = [await post(), await post(), await post(), await post()];
    await remove(a.id, owner);
    await remove(b.id, admin);
    await global.api.call(contract.posts.delete, { postId: c.id });
    await remove(own.id);
    const entry = (actor: TestUser, post_id: string) => ({
      action: "post_deleted",
      actor_id: actor.userId,
      subject_id: author.userId,
      post_id,
      comment_id: null,
      details: {},
    });
    expect(await staffActs(h.db, topic.id)).toEqual([
      entry(owner, a.id),
      entry(admin, b.id),
      entry(global.user, c.id),
    ]);
  });

  it("is possible for an author who left", async () => {
    const topic = await makeTopic(owner, "secret");
    const user = await signIn(h);
    await addTo(h.db, topic.id, user);
    const { id } = await makePost(user, topic.id);
    await h.db.deleteFrom("memberships").where("user_id", "=", user.userId).execute();
    await remove(id, user);
    expect((await owner.api.call(contract.posts.get, { postId: id })).post.isDeleted).toBe(true);
  });
});

describe("403", () => {
  it("members and outsiders", async () => {
    const { id } = await makePost(owner, topicId);
    expect(await refusalOf(remove(id))).toMatchObject({ status: 403, code: "role_required" });
    expect(await refusalOf(remove(id, await signIn(h)))).toMatchObject({ status: 403, code: "not_a_member" });
    expect((await h.guest.call(contract.posts.get, { postId: id })).post.isDeleted).toBe(false);
  });
});

describe("404", () => {
  it("every later write", async () => {
    const { post, postId } = await fullPost();
    await remove(postId);
    const optionIds = post.poll?.options.map((option) => option.id) ?? [];
    const { call } = owner.api;
    const writes = [
      call(contract.posts.delete, { postId }),
      call(contract.posts.update, { postId, title: "x" }),
      call(contract.posts.pin, { postId }),
      call(contract.posts.vote, { postId, value: 1 }),
      call(contract.posts.react, { postId, emoji: "\u{1F525}" }),
      call(contract.posts.bookmark, { postId }),
      call(contract.posts.votePoll, { postId, optionIds }),
      call(contract.posts.clearPollVote, { postId }),
      call(contract.comments.create, { postId, content: "c" }),
    ];
    const gone = { status: 404, code: "post_not_found", field: undefined };
    expect(await Promise.all(writes.map(refusalOf))).toEqual(writes.map(() => gone));
    expect(await owner.api.call(contract.posts.getBookmark, { postId })).toEqual({ bookmarked: false });
  });
});
