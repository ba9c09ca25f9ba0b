import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededCategories } from "@/db/seeded-categories";
import { contract, type TopicListItem } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, general, makePost, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let member: TestUser;
const ids = new Map<string, string>();
const id = (title: string) => ids.get(title) ?? expect.fail(title);

beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  member = await signIn(h, "member");
  const defi = seededCategories.find((c) => c.slug === "defi")?.id ?? "";
  for (const [title, visibility, categoryId, description] of [
    ["Open", "public", general, "Everybody is here"],
    ["Closed", "private", defi, "By approval"],
    ["Hidden", "secret", general, "Nobody knows"],
    ["Hidden and joined", "secret", defi, "One knows"],
    ["100% Ünïcode_test", "public", defi, ""],
  ] as const) {
    const { topic } = await owner.api.call(contract.topics.create, {
      title,
      visibility,
      categoryId,
      description,
    });
    ids.set(title, topic.id);
  }
  await addTo(h.db, id("Hidden and joined"), member);
  await addTo(h.db, id("Open"), member, "admin");
});
afterAll(() => h.close());

const titles = (list: { topics: TopicListItem[] }) => list.topics.map((topic) => topic.title).sort();
const all = { view: "all" } as const;

describe("GET /api/topics", () => {
  it("shows guests public and private topics with view=all, and none without", async () => {
    expect(titles(await h.guest.call(contract.topics.list, all))).toEqual([
      "100% Ünïcode_test",
      "Closed",
      "Open",
    ]);
    expect(await h.guest.call(contract.topics.list, {})).toEqual({ topics: [], nextCursor: null });
  });

  it("adds the secret topics one belongs to, and no other", async () => {
    const list = await member.api.call(contract.topics.list, all);
    expect(titles(list)).toEqual(["100% Ünïcode_test", "Closed", "Hidden and joined", "Open"]);
    const roles = Object.fromEntries(list.topics.map((t) => [t.title, [t.isMember, t.currentUserRole]]));
    expect(roles).toMatchObject({
      Open: [true, "admin"],
      Closed: [false, null],
      "Hidden and joined": [true, "member"],
    });
  });

  it("shows what one has joined without view=all", async () => {
    expect(titles(await member.api.call(contract.topics.list, {}))).toEqual(["Hidden and joined", "Open"]);
    expect(await (await signIn(h)).api.call(contract.topics.list, {})).toEqual({
      topics: [],
      nextCursor: null,
    });
  });

  it("keeps the invite codes of private topics from outsiders", async () => {
    const { topics } = await h.guest.call(contract.topics.list, all);
    const codes = Object.fromEntries(topics.map((topic) => [topic.title, topic.inviteCode]));
    expect(codes).toMatchObject({ Closed: null, Open: expect.any(String) });
  });

  it("filters by category, with and without view=all", async () => {
    expect(titles(await h.guest.call(contract.topics.list, { ...all, category: "defi" }))).toEqual([
      "100% Ünïcode_test",
      "Closed",
    ]);
    expect(titles(await member.api.call(contract.topics.list, { category: "defi" }))).toEqual([
      "Hidden and joined",
    ]);
  });

  it.each([
    ["open", ["Open"]],
    ["HERE", ["Open"]],
    ["ünÏcode", ["100% Ünïcode_test"]],
    ["0% ", ["100% Ünïcode_test"]],
    ["_", ["100% Ünïcode_test"]],
    ["%", ["100% Ünïcode_test"]],
    ["here nobody", []],
    ["Hidden", []],
    [" ", ["100% Ünïcode_test", "Closed", "Open"]],
  ])("finds %j in titles and descriptions", async (q, found) => {
    expect(titles(await h.guest.call(contract.topics.list, { ...all, q }))).toEqual(found);
  });

  it("finds the caller's own secret topics", async () => {
    expect(titles(await member.api.call(contract.topics.list, { ...all, q: "knows" }))).toEqual([
      "Hidden and joined",
    ]);
  });

  it("sorts by members, age, activity and score", async () => {
    await makePost(owner, id("Closed"));
    await h.idle();
    const first = async (sort: "top" | "new" | "active" | "hot") =>
      (await h.guest.call(contract.topics.list, { ...all, sort })).topics[0]?.title;
    expect(await first("top")).toBe("Open");
    expect(await first("new")).toBe("100% Ünïcode_test");
    expect(await first("active")).toBe("Closed");
    // Closed: 2 + 3 + 10; Open: 4 + 10.
    expect(await first("hot")).toBe("Closed");
  });

  it("orders what one has joined by activity", async () => {
    const { topics } = await owner.api.call(contract.topics.list, {});
    const times = topics.map((topic) => topic.lastActivityAt);
    expect(times).toEqual([...times].sort().reverse());
  });
});

describe("paging", () => {
  // Equal keys everywhere: only the id keeps rows apart, so a page boundary falls between equals.
  it.each(["hot", "new", "active", "top"] as const)("by %s repeats and skips nothing", async (sort) => {
    const user = await signIn(h);
    const same = { member_count: 5, score: 7, last_activity_at: new Date(1_700_000_000_123) };
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        makeTopic(user, i % 4 === 0 ? "secret" : "public", `paged ${sort}`),
      ),
    );
    await h.db.updateTable("topics").set(same).where("title", "=", `paged ${sort}`).execute();
    const query = { ...all, sort, q: `paged ${sort}` } as const;
    const byCursor: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await user.api.call(contract.topics.list, { ...query, limit: 5, cursor });
      byCursor.push(...page.topics.map((topic) => topic.id));
      if (!page.nextCursor) break;
      cursor = page.nextCursor;
    }
    expect([...byCursor].sort()).toEqual(made.map((topic) => topic.id).sort());
    const byOffset: string[] = [];
    for (const offset of [0, 5, 10]) {
      const page = await user.api.call(contract.topics.list, { ...query, limit: 5, offset });
      byOffset.push(...page.topics.map((topic) => topic.id));
    }
    expect(byOffset).toEqual(byCursor);
  });

  it("clamps the limit and accepts 0", async () => {
    expect(
      (await h.guest.call(contract.topics.list, { ...all, limit: 100_000 })).topics.length,
    ).toBeGreaterThan(3);
    expect(await h.guest.call(contract.topics.list, { ...all, limit: 0 })).toEqual({
      topics: [],
      nextCursor: null,
    });
  });
});

describe("400", () => {
  it.each([
    ["sort=best", "sort"],
    ["view=mine", "view"],
    ["limit=-1", "limit"],
    ["limit=1.5", "limit"],
    ["offset=x", "offset"],
    ["view=all&cursor=abc", "cursor"],
    ["q=%00", "q"],
  ])("%s", async (query, field) => {
    const answer = await h.send("GET", `/api/topics?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", field } });
  });

  it("an unknown category", async () => {
    const call = h.guest.call(contract.topics.list, { ...all, category: "no-such" });
    expect(await refusalOf(call)).toEqual({ status: 400, code: "category_not_found", field: "category" });
  });

  it("a cursor of another sort", async () => {
    const page = await h.guest.call(contract.topics.list, { ...all, sort: "new", limit: 1 });
    const call = h.guest.call(contract.topics.list, { ...all, sort: "hot", cursor: page.nextCursor ?? "" });
    expect(await refusalOf(call)).toEqual({ status: 400, code: "invalid_request", field: "cursor" });
  });
});

it("401 for invalid credentials, guest-readable or not", async () => {
  expect((await h.send("GET", "/api/topics?view=all", { token: "nonsense" })).status).toBe(401);
});

it("GET /api/categories lists the twelve in order", async () => {
  const { categories } = await h.guest.call(contract.categories.list, {});
  expect(categories.map((category) => category.name)).toEqual([
    ...["General", "Blockchain", "Ethereum", "AI & ML", "Privacy", "DeFi", "Governance", "Technology"],
    ...["Sports", "Science", "Music & Art", "Gaming"],
  ]);
  expect(categories.map((category) => category.sortOrder)).toEqual(categories.map((_, index) => index + 1));
});
