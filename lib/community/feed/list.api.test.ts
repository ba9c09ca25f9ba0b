import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededCategories } from "@/db/seeded-categories";
import { contract } from "@/lib/contract";
import { postSorts } from "@/lib/contract/posts";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, general, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let member: TestUser;

beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  member = await signIn(h, "member");
  const gaming = seededCategories.find((c) => c.slug === "gaming")?.id ?? "";
  for (const [title, visibility, categoryId, joined] of [
    ["open", "public", general, false],
    ["open joined", "public", gaming, true],
    ["closed", "private", general, false],
    ["closed joined", "private", gaming, true],
    ["hidden", "secret", general, false],
    ["hidden joined", "secret", general, true],
  ] as const) {
    const { topic } = await owner.api.call(contract.topics.create, { title, visibility, categoryId });
    if (joined) await addTo(h.db, topic.id, member);
    await owner.api.call(contract.posts.create, {
      topicId: topic.id,
      title,
      content: `<p>Words of <b>${title}</b> &amp; 100% Ünique</p>`,
      tags: joined ? ["joined"] : ["apart"],
    });
  }
});
afterAll(() => h.close());

type Query = { view?: "my"; tag?: string; category?: string; q?: string };
const titles = async (user: TestUser | null, query: Query = {}) =>
  (await (user?.api ?? h.guest).call(contract.feed.list, query)).posts.map((post) => post.title).sort();

describe("GET /api/feed", () => {
  it("shows guests and outsiders what is public", async () => {
    const open = ["open", "open joined"];
    expect(await titles(null)).toEqual(open);
    expect(await titles(await signIn(h))).toEqual(open);
  });

  it("adds the private and secret topics one belongs to", async () => {
    expect(await titles(member)).toEqual(["closed joined", "hidden joined", "open", "open joined"]);
    expect(await titles(owner)).toHaveLength(6);
  });

  it("shows the caller's topics with view=my, and nothing to a guest", async () => {
    expect(await titles(member, { view: "my" })).toEqual(["closed joined", "hidden joined", "open joined"]);
    expect(await h.guest.call(contract.feed.list, { view: "my" })).toEqual({ posts: [], nextCursor: null });
  });

  it("filters by tag and category", async () => {
    expect(await titles(member, { tag: "apart" })).toEqual(["open"]);
    expect(await titles(null, { tag: "joined" })).toEqual(["open joined"]);
    expect(await titles(member, { category: "gaming" })).toEqual(["closed joined", "open joined"]);
    expect(await titles(null, { category: "gaming" })).toEqual(["open joined"]);
    expect(await titles(member, { category: "gaming", view: "my", tag: "joined", q: "closed" })).toEqual([
      "closed joined",
    ]);
    expect(await titles(member, { tag: "no-such" })).toEqual([]);
  });

  it("finds words of titles and texts, whatever their case, and never of what is hidden", async () => {
    expect(await titles(null, { q: "WORDS OF" })).toEqual(["open", "open joined"]);
    expect(await titles(null, { q: "& 100% ünique" })).toEqual(["open", "open joined"]);
    expect(await titles(member, { q: "hidden" })).toEqual(["hidden joined"]);
    expect(await titles(null, { q: "hidden" })).toEqual([]);
    // Markup is not text.
    expect(await titles(null, { q: "strong" })).toEqual([]);
  });

  it("puts nothing first for being pinned in its topic", async () => {
    const pin = (is_pinned: boolean) =>
      h.db.updateTable("posts").set({ is_pinned }).where("title", "=", "open");
    await pin(true).execute();
    const { posts } = await h.guest.call(contract.feed.list, { sort: "new" });
    expect(posts.map((post) => post.title)).toEqual(["open joined", "open"]);
    expect(await titles(owner, { view: "my" })).toHaveLength(6);
    await pin(false).execute();
  });
});

describe("paging", () => {
  it.each(postSorts)(
    "by %s repeats and skips nothing among equals, over both kinds of topic",
    async (sort) => {
      await h.db
        .updateTable("posts")
        .set({ score: 1.1, upvote_count: 2, record_count: 3, last_activity_at: new Date(1_700_000_000_123) })
        .execute();
      for (const user of [member, owner]) {
        for (const view of [undefined, "my"] as const) {
          const seen: string[] = [];
          let cursor: string | undefined;
          do {
            const page = await user.api.call(contract.feed.list, { sort, view, limit: 1, cursor });
            seen.push(...page.posts.map((post) => post.title));
            cursor = page.nextCursor ?? undefined;
          } while (cursor);
          expect([...seen].sort()).toEqual(await titles(user, { view }));
          const skipped = await user.api.call(contract.feed.list, { sort, view, limit: 2, offset: 1 });
          expect(skipped.posts.map((post) => post.title)).toEqual(seen.slice(1, 3));
        }
      }
    },
  );
});

describe("400", () => {
  it("an unknown category, sort or view, a bad cursor", async () => {
    const call = h.guest.call(contract.feed.list, { category: "nowhere" });
    expect(await refusalOf(call)).toEqual({ status: 400, code: "category_not_found", field: "category" });
    for (const query of ["sort=best", "view=all", "cursor=x", "limit=-5"]) {
      expect((await h.send("GET", `/api/feed?${query}`)).status, query).toBe(400);
    }
  });
});
