import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientInput, contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

/** GET /api/search with author, topicId, since and until. */

let h: Harness;
let ada: TestUser;
let bob: TestUser;
let outsider: TestUser;
/** A public and a private topic; each has a post of each member, and a comment of theirs under it. */
let open: string;
let closed: string;
let clock = Date.UTC(2026, 0, 1);
const word = "lighthouse";
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  ada = await signIn(h, "ada");
  bob = await signIn(h, "bob");
  outsider = await signIn(h, "outsider");
  open = (await makeTopic(ada, "public", word)).id;
  closed = (await makeTopic(ada, "private", word)).id;
  for (const [topicId, name] of [
    [open, "open"],
    [closed, "closed"],
  ] as const) {
    await addTo(h.db, topicId, bob);
    for (const user of [ada, bob]) {
      clock += 24 * 3_600_000;
      const title = `${word} ${name} ${user === ada ? "ada" : "bob"}`;
      const { id } = await makePost(user, topicId, title);
      await user.api.call(contract.comments.create, { postId: id, content: title });
    }
  }
});
afterAll(() => h.close());

type Query = Omit<ClientInput<typeof contract.search.all>, "q">;
async function found(query: Query, user?: TestUser) {
  const { topics, posts, comments } = await (user?.api ?? h.guest).call(contract.search.all, {
    q: word,
    ...query,
  });
  const names = (titles: readonly string[]) => titles.map((title) => title.replace(`${word} `, "")).sort();
  expect(names(comments.map(({ content }) => content)), "comments as posts").toEqual(
    names(posts.map(({ title }) => title)),
  );
  return { topics: topics.length, written: names(posts.map(({ title }) => title)) };
}
const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number)).toISOString();

describe("an author", () => {
  it("is found by the name they have now, with what the reader may read", async () => {
    expect(await found({ author: ada.nickname })).toEqual({ topics: 0, written: ["open ada"] });
    expect(await found({ author: `@${ada.nickname.toUpperCase()}` }, outsider)).toEqual({
      topics: 0,
      written: ["open ada"],
    });
    expect(await found({ author: ada.nickname }, bob)).toEqual({
      topics: 0,
      written: ["closed ada", "open ada"],
    });
  });

  it("whom nobody is called is no error", async () => {
    expect(await found({ author: "nobody_of_that_name" })).toEqual({ topics: 0, written: [] });
  });

  it("goes with a topic and a time", async () => {
    expect(await found({ author: ada.nickname, topicId: closed }, bob)).toMatchObject({
      written: ["closed ada"],
    });
    expect(await found({ author: bob.nickname, since: day(3) }, bob)).toMatchObject({
      written: ["closed bob"],
    });
    expect(await found({ author: bob.nickname, until: day(3) }, bob)).toMatchObject({
      written: ["open bob"],
    });
  });
});

describe("a topic", () => {
  it("limits to what is in it", async () => {
    expect(await found({ topicId: open })).toEqual({ topics: 0, written: ["open ada", "open bob"] });
    expect(await found({ topicId: closed }, bob)).toEqual({
      topics: 0,
      written: ["closed ada", "closed bob"],
    });
  });

  it("is refused to who may not read it", async () => {
    const search = (topicId: string, user?: TestUser) =>
      refusalOf((user?.api ?? h.guest).call(contract.search.all, { q: word, topicId }));
    expect(await search(closed, outsider)).toMatchObject({ status: 403, code: "not_a_member" });
    expect(await search(closed)).toMatchObject({ status: 401, code: "not_authenticated" });
    expect(await search(randomUUID(), bob)).toMatchObject({ status: 404, code: "topic_not_found" });
  });
});

describe("a time", () => {
  it.each([
    [{ since: day(2) }, ["closed ada", "closed bob", "open bob"]],
    [{ until: day(2) }, ["open ada"]],
    [{ since: day(2), until: day(4) }, ["closed ada", "open bob"]],
    [{ since: day(9) }, []],
  ])("%o", async (query, written) => {
    expect(await found(query, bob)).toEqual({ topics: 0, written });
  });
});

it.each([
  ["since", "yesterday"],
  ["until", "2026-13-01T00:00:00Z"],
  ["topicId", "x"],
  ["author", ""],
])("400: %s %j", async (field, value) => {
  const answer = await h.send("GET", `/api/search?${new URLSearchParams({ q: word, [field]: value })}`, {});
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ field });
});

it("pages through one author's posts", async () => {
  const titles: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await bob.api.call(contract.search.all, {
      q: word,
      type: "posts",
      author: ada.nickname,
      limit: 1,
      cursor,
    });
    titles.push(...page.posts.map(({ title }) => title));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(titles.sort()).toEqual([`${word} closed ada`, `${word} open ada`]);
});
