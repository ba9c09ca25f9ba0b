import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { postSorts } from "@/lib/contract/posts";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { makePost, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

type Query = Omit<Parameters<typeof listOf>[1], never>;
const listOf = (
  topicId: string,
  query: { sort?: (typeof postSorts)[number]; tag?: string; limit?: number } = {},
) => h.guest.call(contract.posts.list, { topicId, ...query });
const titlesOf = async (topicId: string, query: Query = {}) =>
  (await listOf(topicId, query)).posts.map((post) => post.title);

describe("order", () => {
  it("by score, age, votes, activity and records, pinned posts always first", async () => {
    const topic = await makeTopic(owner);
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    const rows = [
      // title, score, votes, activity, records
      ["a", 1, 5, 3, 0],
      ["b", 3, 1, 2, 2],
      ["c", 2, 9, 1, 1],
      ["pinned", 0, 0, 0, 0],
    ] as const;
    for (const [title, score, upvote_count, minute, record_count] of rows) {
      const { id } = await makePost(owner, topic.id, title);
      await h.db
        .updateTable("posts")
        .set({
          score,
          upvote_count,
          record_count,
          last_activity_at: at(minute),
          is_pinned: title === "pinned",
        })
        .where("id", "=", id)
        .execute();
    }
    expect(await titlesOf(topic.id)).toEqual(["pinned", "b", "c", "a"]);
    expect(await titlesOf(topic.id, { sort: "hot" })).toEqual(["pinned", "b", "c", "a"]);
    expect(await titlesOf(topic.id, { sort: "top" })).toEqual(["pinned", "c", "a", "b"]);
    expect(await titlesOf(topic.id, { sort: "active" })).toEqual(["pinned", "a", "b", "c"]);
    expect(await titlesOf(topic.id, { sort: "recorded" })).toEqual(["pinned", "b", "c", "a"]);
    expect(await titlesOf(topic.id, { sort: "new" })).toEqual(["pinned", "c", "b", "a"]);
  });
});

describe("tag", () => {
  it("filters by slug; an unknown one has no posts", async () => {
    const topic = await makeTopic(owner);
    await owner.api.call(contract.posts.create, {
      topicId: topic.id,
      title: "x",
      content: "c",
      tags: ["One Tag"],
    });
    await makePost(owner, topic.id, "y");
    expect(await titlesOf(topic.id, { tag: "one-tag" })).toEqual(["x"]);
    expect(await listOf(topic.id, { tag: "unknown" })).toEqual({ posts: [], nextCursor: null });
  });
});

describe("paging", () => {
  it.each(postSorts)("by %s repeats and skips nothing among equals, across the pins", async (sort) => {
    const topic = await makeTopic(owner);
    const made = await Promise.all(Array.from({ length: 13 }, (_, i) => makePost(owner, topic.id, `p${i}`)));
    await h.db
      .updateTable("posts")
      .set({ score: 1.1, upvote_count: 2, record_count: 3, last_activity_at: new Date(1_700_000_000_123) })
      .where("topic_id", "=", topic.id)
      .execute();
    const pinned = made.slice(0, 4).map((post) => post.id);
    await h.db.updateTable("posts").set({ is_pinned: true }).where("id", "in", pinned).execute();

    const byCursor: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await h.guest.call(contract.posts.list, { topicId: topic.id, sort, limit: 3, cursor });
      byCursor.push(...page.posts.map((post) => post.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect([...byCursor].sort()).toEqual(made.map((post) => post.id).sort());
    expect(byCursor.slice(0, 4).sort()).toEqual([...pinned].sort());

    const byOffset: string[] = [];
    for (const offset of [0, 3, 6, 9, 12]) {
      const page = await h.guest.call(contract.posts.list, { topicId: topic.id, sort, limit: 3, offset });
      byOffset.push(...page.posts.map((post) => post.id));
    }
    expect(byOffset).toEqual(byCursor);
  });
});

describe("400", () => {
  it("an unknown sort, a bad page, a cursor of another list", async () => {
    const topic = await makeTopic(owner);
    for (const [query, field] of [
      ["sort=best", "sort"],
      ["limit=x", "limit"],
      ["offset=-1", "offset"],
      ["cursor=%21", "cursor"],
    ]) {
      const answer = await h.send("GET", `/api/topics/${topic.id}/posts?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", field } });
    }
    await makePost(owner, topic.id);
    await makePost(owner, topic.id);
    const feed = await h.guest.call(contract.feed.list, { limit: 1 });
    const call = h.guest.call(contract.posts.list, { topicId: topic.id, cursor: feed.nextCursor ?? "" });
    expect(await refusalOf(call)).toMatchObject({ status: 400, field: "cursor" });
  });
});
