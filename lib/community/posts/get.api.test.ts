import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { flushViews, noteView } from "./view-counts";

let h: Harness;
let owner: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
});
afterAll(() => h.close());

const read = (postId: string, user?: TestUser) => (user?.api ?? h.guest).call(contract.posts.get, { postId });
const views = async (postId: string) =>
  await h.db.selectFrom("posts").select("view_count").where("id", "=", postId).executeTakeFirstOrThrow();

describe("viewCount", () => {
  it("counts every fetch and includes the fetch that asks", async () => {
    const { id } = await makePost(owner, topicId);
    for (const expected of [1, 2, 3]) expect((await read(id)).post.viewCount).toBe(expected);
  });

  it("gives 60 parallel readers 60 different numbers", async () => {
    const { id } = await makePost(owner, topicId);
    const counts = await Promise.all(Array.from({ length: 60 }, async () => (await read(id)).post.viewCount));
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });

  it("reaches the row with a flush, continues from there, and never counts twice", async () => {
    const { id } = await makePost(owner, topicId);
    await read(id);
    await read(id);
    await flushViews(h.services);
    await flushViews(h.services);
    expect(await views(id)).toEqual({ view_count: 2 });
    expect((await read(id)).post.viewCount).toBe(3);
    // Lists show the row's count.
    await h.idle();
    const { posts } = await h.guest.call(contract.posts.list, { topicId, sort: "new", limit: 1 });
    expect(posts[0]?.viewCount).toBe(3);
  });

  // A clean shutdown waits for work after answers, and so for this.
  it("reaches the row by itself soon after the answer", async () => {
    const { id } = await makePost(owner, topicId);
    await read(id);
    await read(id);
    await h.idle();
    expect(await views(id)).toEqual({ view_count: 2 });
  });

  it("counts what was noted, of many posts, with what is counted at once", async () => {
    const [one, other] = [await makePost(owner, topicId), await makePost(owner, topicId)];
    await read(one.id);
    for (let n = 0; n < 40; n += 1) noteView(h.services, n < 30 ? one.id : other.id);
    noteView(h.services, randomUUID());
    await h.idle();
    expect([await views(one.id), await views(other.id)]).toEqual([{ view_count: 31 }, { view_count: 10 }]);
    expect((await read(one.id)).post.viewCount).toBe(32);
  });

  it("survives an emptied cache", async () => {
    const { id } = await makePost(owner, topicId);
    await read(id);
    await read(id);
    await h.services.cache.delete(`views:${id}`);
    await flushViews(h.services);
    expect((await read(id)).post.viewCount).toBe(3);
  });

  it("keeps what a failed flush could not write", async () => {
    const { id } = await makePost(owner, topicId);
    await read(id);
    noteView(h.services, id);
    await h.db.schema.alterTable("posts").renameColumn("view_count", "away").execute();
    await expect(flushViews(h.services)).rejects.toThrow();
    await h.db.schema.alterTable("posts").renameColumn("away", "view_count").execute();
    await flushViews(h.services);
    expect(await views(id)).toEqual({ view_count: 2 });
  });

  it("is not moved by a refused reader", async () => {
    const closed = await makeTopic(owner, "private");
    const { id } = await makePost(owner, closed.id);
    await refusalOf(read(id));
    expect((await read(id, owner)).post.viewCount).toBe(1);
  });
});

describe("what is the reader's own", () => {
  it("vote, bookmark, reaction and poll vote", async () => {
    const { post } = await owner.api.call(contract.posts.create, {
      topicId,
      title: "t",
      content: "c",
      poll: { options: ["A", "B"] },
    });
    const user = await signIn(h);
    await addTo(h.db, topicId, user);
    await user.api.call(contract.posts.vote, { postId: post.id, value: -1 });
    await user.api.call(contract.posts.bookmark, { postId: post.id });
    for (const emoji of ["\u{1F389}", "\u{1F44D}"] as const) {
      await user.api.call(contract.posts.react, { postId: post.id, emoji });
    }
    await owner.api.call(contract.posts.react, { postId: post.id, emoji: "\u{1F44D}" });
    const [option] = post.poll?.options ?? [];
    await user.api.call(contract.posts.votePoll, { postId: post.id, optionIds: [option?.id ?? ""] });

    const seen = (await read(post.id, user)).post;
    expect(seen).toMatchObject({ userVoted: -1, upvoteCount: -1, userBookmarked: true });
    expect(seen.reactions).toEqual([
      { emoji: "\u{1F44D}", count: 2, userReacted: true },
      { emoji: "\u{1F389}", count: 1, userReacted: true },
    ]);
    expect(seen.poll).toMatchObject({ totalVotes: 1, userVotedOptionIds: [option?.id] });

    const guest = (await read(post.id)).post;
    expect(guest).toMatchObject({ userVoted: null, upvoteCount: -1, userBookmarked: false });
    expect(guest.reactions.map((r) => r.userReacted)).toEqual([false, false]);
    expect(guest.poll).toMatchObject({ totalVotes: 1, userVotedOptionIds: [] });
  });
});

describe("a closed poll", () => {
  it("says so", async () => {
    const { post } = await owner.api.call(contract.posts.create, {
      topicId,
      title: "t",
      content: "c",
      poll: { options: ["A", "B"], closesAt: "2999-01-01T00:00:00Z" },
    });
    const past = new Date(Date.now() - 1000);
    await h.db.updateTable("polls").set({ closes_at: past }).where("post_id", "=", post.id).execute();
    expect((await read(post.id)).post.poll).toMatchObject({ isClosed: true, closesAt: past.toISOString() });
  });
});

describe("a deleted post", () => {
  it("keeps its page and comments, empty; disappears from lists; refuses writes", async () => {
    const topic = await makeTopic(owner);
    const { post } = await owner.api.call(contract.posts.create, {
      topicId: topic.id,
      title: "Gone",
      content: "<p>Gone</p>",
      tags: ["gone"],
      media: { images: ["https://example.com/a.png"] },
      poll: { options: ["A", "B"] },
    });
    const { comment } = await owner.api.call(contract.comments.create, {
      postId: post.id,
      content: "Still here",
    });
    await owner.api.call(contract.posts.delete, { postId: post.id });

    const page = await read(post.id);
    expect(page.post).toMatchObject({
      isDeleted: true,
      deletedAt: expect.any(String),
      title: "",
      content: "",
      summary: "",
      tags: [],
      media: { images: [], videos: [] },
      poll: null,
    });
    expect(page.comments.map((c) => c.id)).toEqual([comment.id]);
    expect((await h.guest.call(contract.posts.list, { topicId: topic.id })).posts).toEqual([]);
    expect((await h.guest.call(contract.feed.list, { tag: "gone" })).posts).toEqual([]);
    const gone = { status: 404, code: "post_not_found", field: undefined };
    const vote = owner.api.call(contract.posts.vote, { postId: post.id, value: 1 });
    expect(await refusalOf(vote)).toEqual(gone);
    const reply = owner.api.call(contract.comments.create, { postId: post.id, content: "c" });
    expect(await refusalOf(reply)).toEqual(gone);
  });
});

describe("404", () => {
  it.each(["x", "00000000-0000-0000-0000-00000000000g", "%00"])("a path id that is none: %s", async (id) => {
    expect(await h.send("GET", `/api/posts/${id}`)).toMatchObject({
      status: 404,
      body: { code: "post_not_found" },
    });
  });
});
