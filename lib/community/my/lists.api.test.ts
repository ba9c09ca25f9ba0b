import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let reader: TestUser;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  reader = await signIn(h, "reader");
});
afterAll(() => h.close());

const lists = { posts: contract.my.posts, likes: contract.my.likes, bookmarks: contract.my.bookmarks };
type List = keyof typeof lists;
const names = Object.keys(lists).filter((name): name is List => name in lists);

/** A post by `reader` in a topic they belong to, which they voted up and bookmarked. */
async function ownPost(topicId: string, title: string) {
  const { id } = await makePost(reader, topicId, title);
  await reader.api.call(contract.posts.vote, { postId: id, value: 1 });
  await reader.api.call(contract.posts.bookmark, { postId: id });
  return id;
}
const titles = async (list: List, user = reader) =>
  (await user.api.call(lists[list], { limit: 100 })).posts.map((post) => post.title);

describe.each(names)("%s", (name) => {
  let topicId: string;
  beforeAll(async () => {
    reader = await signIn(h, "reader");
    topicId = (await makeTopic(owner)).id;
    await addTo(h.db, topicId, reader);
  });

  it("is the caller's own, latest first", async () => {
    for (const title of ["one", "two", "three"]) await ownPost(topicId, title);
    expect(await titles(name)).toEqual(["three", "two", "one"]);
    expect(await titles(name, owner)).toEqual([]);
  });

  it("leaves out deleted posts, and topics that the caller may no longer read; pages stay full", async () => {
    const secret = (await makeTopic(owner, "secret")).id;
    const privat = (await makeTopic(owner, "private")).id;
    const open = (await makeTopic(owner)).id;
    for (const id of [secret, privat, open]) await addTo(h.db, id, reader);
    await ownPost(open, "open");
    await ownPost(privat, "private");
    await ownPost(secret, "secret");
    const gone = await ownPost(open, "deleted");
    await reader.api.call(contract.posts.delete, { postId: gone });
    expect((await titles(name)).slice(0, 3)).toEqual(["secret", "private", "open"]);
    for (const id of [secret, privat, open]) {
      await h.db
        .deleteFrom("memberships")
        .where("topic_id", "=", id)
        .where("user_id", "=", reader.userId)
        .execute();
    }
    const page = await reader.api.call(lists[name], { limit: 2 });
    expect(page.posts.map((post) => post.title)).toEqual(["open", "three"]);
    const rest = await reader.api.call(lists[name], { limit: 2, cursor: page.nextCursor ?? "" });
    expect([rest.posts.map((post) => post.title), rest.nextCursor]).toEqual([["two", "one"], null]);
    const skipped = await reader.api.call(lists[name], { limit: 2, offset: 1 });
    expect(skipped.posts.map((post) => post.title)).toEqual(["three", "two"]);
  });

  it("repeats and skips nothing among equals", async () => {
    const same = new Date(1_700_000_000_123);
    await h.db.updateTable("posts").set({ last_activity_at: same }).execute();
    await h.db.updateTable("votes").set({ created_at: same }).execute();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await reader.api.call(lists[name], { limit: 1, cursor });
      seen.push(...page.posts.map((post) => post.title));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect([...seen].sort()).toEqual((await titles(name)).sort());
  });

  it("400 for a cursor of another list; 401 for a guest", async () => {
    const other = names.find((candidate) => candidate !== name) ?? expect.fail();
    const { nextCursor } = await reader.api.call(lists[other], { limit: 1 });
    const call = reader.api.call(lists[name], { cursor: nextCursor ?? "" });
    expect(await refusalOf(call)).toMatchObject({ status: 400, field: "cursor" });
    expect(await refusalOf(h.guest.call(lists[name], {}))).toMatchObject({ status: 401 });
  });
});

it("my posts: hidden ones stay, with their text", async () => {
  const topicId = (await makeTopic(owner)).id;
  const { id } = await makePost(owner, topicId, "under review", "<p>words</p>");
  await h.db.updateTable("posts").set({ hidden_at: new Date() }).where("id", "=", id).execute();
  const [first] = (await owner.api.call(contract.my.posts, {})).posts;
  expect(first).toMatchObject({ title: "under review", content: "<p>words</p>", isHidden: true });
});

it("likes: votes up only, by when they became one", async () => {
  const topicId = (await makeTopic(owner)).id;
  const ids: string[] = [];
  for (const title of ["a", "b", "c"]) ids.push((await makePost(owner, topicId, title)).id);
  const [a = "", b = "", c = ""] = ids;
  const user = await signIn(h);
  await addTo(h.db, topicId, user);
  const vote = (postId: string, value: 1 | -1) => user.api.call(contract.posts.vote, { postId, value });
  await vote(a, -1);
  await vote(b, 1);
  await vote(c, 1);
  expect(await titles("likes", user)).toEqual(["c", "b"]);
  await vote(a, 1);
  await vote(c, 1);
  expect(await titles("likes", user)).toEqual(["a", "b"]);
});

it("upvotes and bookmarks: a hidden post is left out until it is shown again", async () => {
  const topicId = (await makeTopic(owner)).id;
  const user = await signIn(h);
  await addTo(h.db, topicId, user);
  const { id } = await makePost(owner, topicId, "hidden later");
  await user.api.call(contract.posts.vote, { postId: id, value: 1 });
  await user.api.call(contract.posts.bookmark, { postId: id });
  for (const [hidden_at, left] of [
    [new Date(), []],
    [null, [id]],
  ] as const) {
    await h.db.updateTable("posts").set({ hidden_at }).where("id", "=", id).execute();
    for (const list of ["likes", "bookmarks"] as const) {
      const { posts } = await user.api.call(lists[list], {});
      expect(posts.map((post) => post.id)).toEqual(left);
    }
  }
});

it("bookmarks: say when", async () => {
  const topicId = (await makeTopic(owner)).id;
  const { id } = await makePost(owner, topicId);
  const before = Date.now();
  await owner.api.call(contract.posts.bookmark, { postId: id });
  const [first] = (await owner.api.call(contract.my.bookmarks, {})).posts;
  expect(first).toMatchObject({ id, userBookmarked: true });
  expect(Date.parse(first?.bookmarkedAt ?? "")).toBeGreaterThanOrEqual(before);
});
