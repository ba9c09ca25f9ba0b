import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientInput, contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, general, makePost, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let member: TestUser;
let outsider: TestUser;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  member = await signIn(h, "member");
  outsider = await signIn(h, "outsider");
});
afterAll(() => h.close());

type Query = ClientInput<typeof contract.search.all>;
const search = (query: Query, user?: TestUser) => (user?.api ?? h.guest).call(contract.search.all, query);
async function found(q: string, user?: TestUser) {
  const { topics, posts, comments } = await search({ q, limit: 50 }, user);
  return {
    topics: topics.map((topic) => topic.title).sort(),
    posts: posts.map((post) => post.title).sort(),
    comments: comments.map((comment) => comment.content).sort(),
  };
}
const nothing = { topics: [], posts: [], comments: [] };

describe("who finds what", () => {
  beforeAll(async () => {
    for (const visibility of ["public", "private", "secret"] as const) {
      const topic = await makeTopic(owner, visibility, `visible ${visibility}`);
      await addTo(h.db, topic.id, member);
      const post = await makePost(owner, topic.id, `visible ${visibility}`);
      await owner.api.call(contract.comments.create, { postId: post.id, content: `visible ${visibility}` });
    }
  });
  const open = ["visible public"];
  const all = ["visible private", "visible public", "visible secret"];

  it("guests and outsiders: public content, and topics that are not secret", async () => {
    const expected = { topics: ["visible private", "visible public"], posts: open, comments: open };
    expect(await found("visible")).toEqual(expected);
    expect(await found("visible", outsider)).toEqual(expected);
    for (const user of [undefined, outsider]) {
      for (const type of ["posts", "comments"] as const) {
        expect(await search({ q: "secret", type }, user)).toEqual({
          topics: [],
          posts: [],
          comments: [],
          nextCursor: null,
        });
      }
    }
  });

  it("pages are full of what the reader may see", async () => {
    for (const type of ["posts", "comments"] as const) {
      const page = await search({ q: "visible", type, limit: 1 }, outsider);
      expect([page[type].length, page.nextCursor]).toEqual([1, null]);
    }
  });

  it("members: their own topics too, with their role", async () => {
    expect(await found("visible", member)).toEqual({ topics: all, posts: all, comments: all });
    const { topics } = await search({ q: "visible", type: "topics" }, member);
    expect(topics.map((topic) => [topic.isMember, topic.currentUserRole])).toEqual(
      all.map(() => [true, "member"]),
    );
  });

  it("nobody: what was deleted or hidden, and what is under it", async () => {
    const topic = await makeTopic(owner);
    const write = async (title: string) => {
      const { id } = await makePost(owner, topic.id, title);
      const { comment } = await owner.api.call(contract.comments.create, { postId: id, content: title });
      return { id, commentId: comment.id };
    };
    const [a, b, c, d] = [
      await write("vanishing"),
      await write("vanishing"),
      await write("vanishing"),
      await write("vanishing"),
    ];
    await owner.api.call(contract.posts.delete, { postId: a.id });
    const hidden_at = new Date();
    await h.db.updateTable("posts").set({ hidden_at }).where("id", "=", b.id).execute();
    await h.db.updateTable("comments").set({ hidden_at }).where("id", "=", c.commentId).execute();
    await owner.api.call(contract.comments.delete, { commentId: d.commentId });
    for (const user of [undefined, owner]) {
      const answer = await search({ q: "vanishing" }, user);
      expect(answer.posts.map((post) => post.id).sort()).toEqual([c.id, d.id].sort());
      expect(answer.comments).toEqual([]);
    }
  });
});

describe("what is found", () => {
  beforeAll(async () => {
    const { topic } = await owner.api.call(contract.topics.create, {
      title: "Observatory",
      description: "About telescopes",
      categoryId: general,
      visibility: "public",
    });
    const { id } = await makePost(
      owner,
      topic.id,
      "Wellness of well-known O'Neill",
      "<p>See docs.example.com, 한국어 커뮤니티.</p>",
    );
    await owner.api.call(contract.comments.create, { postId: id, content: "Straße 100% c_d" });
  });

  it.each([
    ["observatory", "topics"],
    ["OBSERV", "topics"],
    ["telescopes about", "topics"],
    ["bserva", "topics"],
    ["well-kn", "posts"],
    ["known wellness", "posts"],
    ["o'neill", "posts"],
    ["docs.example.com", "posts"],
    ["example.co", "posts"],
    ["한국어 커", "posts"],
    ["뮤니티", "posts"],
    ["STRASSE", "none"],
    ["straße", "comments"],
    ["ße 100%", "comments"],
    ["we", "posts"],
    ["ell", "posts"],
    ["el", "none"],
    ["'", "none"],
    ["\\", "none"],
    ["!!! & | ( :*", "none"],
    ["observatory & known", "none"],
    ["observatory known", "none"],
    ["script", "none"],
  ])("%s: %s", async (q, where) => {
    const seen = await found(q);
    const kinds = Object.entries(seen).filter(([, titles]) => titles.length > 0);
    expect(kinds.map(([kind]) => kind)).toEqual(where === "none" ? [] : [where]);
  });

  it("a comment names its post", async () => {
    const { comments } = await search({ q: "straße" });
    expect(comments).toMatchObject([{ postTitle: "Wellness of well-known O'Neill", isDeleted: false }]);
  });
});

describe("what resembles a title", () => {
  const like = async (q: string, more: Partial<Query> = {}, user?: TestUser) =>
    (await search({ q, match: "any", type: "posts", ...more }, user)).posts.map(({ title }) => title);

  it("has any of its longest words, most of them first, where the reader may read", async () => {
    const [topic, other] = [await makeTopic(owner), await makeTopic(owner)];
    const secret = await makeTopic(owner, "secret");
    await makePost(owner, topic.id, "sourdough at altitude");
    await makePost(owner, topic.id, "a short one with nothing in common");
    await makePost(owner, topic.id, "sourdough for beginners");
    await makePost(owner, other.id, "altitude sickness");
    await makePost(owner, secret.id, "sourdough in secret");
    const title = "how do I keep a sourdough alive at this altitude";
    expect(await like(title, { match: "all" })).toEqual([]);
    const [first, ...rest] = await like(title);
    expect(first).toBe("sourdough at altitude");
    expect(rest.toSorted()).toEqual(["altitude sickness", "sourdough for beginners"]);
    expect(await like(title, { topicId: topic.id })).toEqual([
      "sourdough at altitude",
      "sourdough for beginners",
    ]);
    expect(await like(title, { topicId: secret.id }, owner)).toEqual(["sourdough in secret"]);
    expect(await like("it's 'quoted\\' & | ! (:*) sourdough")).toContain("sourdough for beginners");
  });
});

describe("order and pages", () => {
  let titles: string[];
  beforeAll(async () => {
    const topic = await makeTopic(owner);
    titles = [];
    for (let i = 0; i < 11; i += 1) {
      const inTitle = i % 3 === 0;
      const title = inTitle ? `pageable ${i}` : `other ${i}`;
      titles.push(title);
      await makePost(owner, topic.id, title, `<p>${"pageable ".repeat((i % 2) + 1)}</p>`);
    }
  });

  it("matches in the title come first", async () => {
    const { posts } = await search({ q: "pageable", type: "posts" });
    expect(posts).toHaveLength(11);
    expect(posts.slice(0, 4).every((post) => post.title.startsWith("pageable"))).toBe(true);
  });

  it("pages repeat and skip nothing, among equals too", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search({ q: "pageable", type: "posts", limit: 2, cursor });
      seen.push(...page.posts.map((post) => post.title));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect([...seen].sort()).toEqual([...titles].sort());
  });

  it("without type the five best of each, and no further page", async () => {
    const page = await search({ q: "pageable" });
    expect([page.posts.length, page.nextCursor]).toEqual([5, null]);
  });

  it("400 for a cursor of another kind of list", async () => {
    const { nextCursor } = await search({ q: "pageable", type: "posts", limit: 2 });
    for (const query of [{ q: "pageable", type: "comments" as const }, { q: "pageable" }]) {
      const call = search({ ...query, cursor: nextCursor ?? "" });
      expect(await refusalOf(call)).toMatchObject({ status: 400, field: "cursor" });
    }
  });
});

describe("400", () => {
  it.each(["", "q=", "q=%20", `q=${"x".repeat(201)}`, "q=a&type=members", "q=a&limit=-1", "q=%00"])(
    "%s",
    async (query) => {
      expect(await h.send("GET", `/api/search?${query}`)).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
    },
  );
});

it("accepts any text", async () => {
  const odd = [
    "a:*",
    "'a'",
    "a''b",
    "\\'",
    "<->",
    "!a",
    "()",
    "a & b",
    "é́",
    "👍",
    "a\\",
    "'''",
    "%%%",
    "___",
    '"a b"',
    "-a",
    "\u0001",
    "💥 'x",
  ];
  for (const q of odd) expect(await found(q), q).toBeTypeOf("object");
  expect(await found("zzzzzz")).toEqual(nothing);
});
