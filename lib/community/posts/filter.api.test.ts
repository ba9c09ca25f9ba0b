import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { makePost, makeTopic, signIn } from "../testing";

/**
 * Filters and searches read few posts in one way and many in another. Here a word and a tag stand in more than "few"
 * posts of a private topic, and in three of a public one: who sees what must be the same either way.
 */
const many = 2_005;

let h: Harness;
let owner: TestUser;
let member: TestUser;
const topics = { open: "", closed: "" };
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  member = await signIn(h, "member");
  topics.open = (await makeTopic(owner)).id;
  topics.closed = (await makeTopic(owner, "private")).id;
  for (const title of ["one", "two", "hidden"]) {
    const { post } = await owner.api.call(contract.posts.create, {
      topicId: topics.open,
      title: `crowded ${title}`,
      content: "c",
      tags: ["crowded"],
    });
    if (title !== "hidden") continue;
    await h.db.updateTable("posts").set({ hidden_at: new Date() }).where("id", "=", post.id).execute();
  }
  await makePost(owner, topics.open, "another");
  const aside = { topicId: topics.closed, title: "aside", content: "c", tags: ["another"] };
  await owner.api.call(contract.posts.create, aside);
  await fillClosed();
});
afterAll(() => h.close());

/** Many posts with the tag and the word, one of them hidden. */
async function fillClosed() {
  const tag = await h.db
    .selectFrom("tags")
    .select("id")
    .where("slug", "=", "crowded")
    .executeTakeFirstOrThrow();
  const at = sql`timestamptz '2020-01-01' + i * interval '1 second'`;
  await sql`insert into posts (topic_id, author_id, is_public, title, content, summary, media, score,
      last_activity_at, created_at, updated_at, hidden_at)
    select ${topics.closed}, ${owner.userId}, false, 'crowded closed', 'c', 'c', '{"images": [], "videos": []}', i,
      ${at}, ${at}, ${at}, case when i = 1 then now() end from generate_series(1, ${many}::int) i`.execute(
    h.db,
  );
  await sql`insert into post_search (post_id, topic_id, is_public, created_at, text)
    select id, topic_id, is_public, created_at, title from posts where title = 'crowded closed'`.execute(
    h.db,
  );
  await sql`insert into post_tags (post_id, topic_id, tag_id, position, name, created_at, is_public, shown)
    select id, topic_id, ${tag.id}, 0, 'crowded', created_at, false, hidden_at is null from posts where title = 'crowded closed'`.execute(
    h.db,
  );
  await sql`insert into topic_tags (topic_id, tag_id, slug, post_count)
    values (${topics.closed}, ${tag.id}, 'crowded', ${many})`.execute(h.db);
}

const titles = (list: { posts: { title: string }[] }) => list.posts.map((post) => post.title);
const openOnes = ["crowded two", "crowded one"];

describe.each([
  ["a tag", { tag: "crowded" }],
  ["a word", { q: "crowded" }],
  ["the beginning of a word", { q: "cr" }],
  ["both", { tag: "crowded", q: "crowded" }],
])("the feed with %s that many posts have", (_, query) => {
  it("shows outsiders the public ones", async () => {
    for (const api of [h.guest, member.api]) {
      expect(titles(await api.call(contract.feed.list, { ...query, sort: "new" }))).toEqual(openOnes);
    }
  });

  it("shows members theirs too, page after page, without the hidden one", async () => {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await owner.api.call(contract.feed.list, { ...query, sort: "new", limit: 100, cursor });
      for (const post of page.posts) seen.add(post.id);
      if (!cursor) expect(titles(page).slice(0, 3)).toEqual([...openOnes, "crowded closed"]);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen.size).toBe(many - 1 + 2);
    const mine = await owner.api.call(contract.feed.list, { ...query, view: "my", limit: 1, offset: many });
    expect([mine.posts.length, mine.nextCursor]).toEqual([1, null]);
  });
});

describe("the feed with what few posts have", () => {
  it("fills pages with what the reader may see", async () => {
    const write = (topicId: string, title: string) =>
      owner.api.call(contract.posts.create, { topicId, title, content: "uncommon", tags: ["uncommon"] });
    await write(topics.open, "first");
    for (const title of ["second", "third"]) await write(topics.closed, title);
    for (const query of [{ tag: "uncommon" }, { q: "uncommon" }]) {
      const page = await h.guest.call(contract.feed.list, { ...query, sort: "new", limit: 1 });
      expect([titles(page), page.nextCursor]).toEqual([["first"], null]);
      const all = await owner.api.call(contract.feed.list, { ...query, sort: "new" });
      expect(titles(all)).toEqual(["third", "second", "first"]);
    }
  });
});

describe("a topic's posts with a tag", () => {
  it("are those of the topic, few or many", async () => {
    const open = await h.guest.call(contract.posts.list, {
      topicId: topics.open,
      tag: "crowded",
      sort: "new",
    });
    expect(titles(open)).toEqual(openOnes);
    const closed = { topicId: topics.closed, tag: "crowded", limit: 1 };
    const last = await owner.api.call(contract.posts.list, { ...closed, offset: many - 2 });
    expect([last.posts.length, last.nextCursor]).toEqual([1, null]);
    const other = await makeTopic(owner);
    await makePost(owner, other.id);
    expect(titles(await h.guest.call(contract.posts.list, { topicId: other.id, tag: "crowded" }))).toEqual(
      [],
    );
  });
});

describe("a search for what many posts have", () => {
  it("finds the same for outsiders as if those were not there", async () => {
    for (const api of [h.guest, member.api]) {
      const found = await api.call(contract.search.all, { q: "crowded", type: "posts" });
      expect([titles(found).sort(), found.nextCursor]).toEqual([[...openOnes].sort(), null]);
    }
  });

  it("finds the latest 300 for members, page after page", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await owner.api.call(contract.search.all, {
        q: "crowded",
        type: "posts",
        limit: 50,
        cursor,
      });
      seen.push(...page.posts.map((post) => post.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    // One of the 300 is the hidden one of the public topic.
    expect([seen.length, new Set(seen).size]).toEqual([299, 299]);
  });
});
