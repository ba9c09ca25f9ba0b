import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientInput, contract } from "@/lib/contract";
import { isSafeHtml } from "@/lib/html/testing";
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

type Change = Omit<ClientInput<typeof contract.posts.update>, "postId">;
const change = async (postId: string, body: Change, user = author) =>
  (await user.api.call(contract.posts.update, { postId, ...body })).post;
const refused = (postId: string, body: Change, user = author) =>
  refusalOf(user.api.call(contract.posts.update, { postId, ...body }));

const options = ["A", "B"];

describe("200", () => {
  it("changes the fields that are sent; keeps the creation time and moves the update time", async () => {
    const before = (
      await author.api.call(contract.posts.create, {
        topicId,
        title: "Before",
        content: "<p>Old words</p>",
        tags: ["kept"],
        media: { images: ["https://example.com/a.png"] },
        poll: { options },
      })
    ).post;
    const after = await change(before.id, { title: " After " });
    expect(after).toEqual({ ...before, title: "After", updatedAt: expect.any(String) });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    const read = (await h.guest.call(contract.posts.get, { postId: before.id })).post;
    expect(read).toMatchObject({ title: "After", updatedAt: after.updatedAt, content: before.content });
  });

  it("sanitizes new content and updates the summary", async () => {
    const { id } = await makePost(author, topicId);
    const after = await change(id, { content: "<h1>New</h1><script>alert(1)</script><p>words</p>" });
    expect(after).toMatchObject({ content: "<h2>New</h2><p>words</p>", summary: "New words" });
    expect(isSafeHtml(after.content)).toBe(true);
  });

  it("is found by its new words and not by its old ones", async () => {
    const { id } = await makePost(author, topicId, "oldtitle", "<p>oldwords</p>");
    const found = async (q: string) =>
      (await h.guest.call(contract.search.all, { q })).posts.map((p) => p.id);
    await change(id, { title: "newtitle" });
    expect([await found("oldtitle"), await found("newtitle"), await found("oldwords")]).toEqual([
      [],
      [id],
      [id],
    ]);
    await change(id, { content: "<p>newwords</p>" });
    expect([await found("oldwords"), await found("newtitle newwords")]).toEqual([[], [id]]);
  });

  it("replaces tags: new ones are created, every count follows", async () => {
    const { id } = (
      await author.api.call(contract.posts.create, {
        topicId,
        title: "t",
        content: "c",
        tags: ["one", "two"],
      })
    ).post;
    const after = await change(id, { tags: ["Three", "two"] });
    expect(after.tags).toEqual([
      { name: "Three", slug: "three" },
      { name: "two", slug: "two" },
    ]);
    const none = { open: [0, 0], topic: [0, 0] };
    const one = { open: [1, 1], topic: [1, 1] };
    const counts = (slug: string) => tagCounts(h.db, slug, topicId);
    expect(await counts("one")).toEqual(none);
    expect(await counts("two")).toEqual(one);
    expect(await counts("three")).toEqual(one);
    expect((await change(id, { tags: [] })).tags).toEqual([]);
    expect(await counts("two")).toEqual(none);
  });

  it("replaces media as a whole", async () => {
    const { id } = await makePost(author, topicId);
    const both = { images: ["https://example.com/a.png"], videos: ["https://youtu.be/abc"] };
    expect((await change(id, { media: both })).media).toEqual(both);
    const one = { images: ["https://example.com/b.png"] };
    expect((await change(id, { media: one })).media).toEqual({ ...one, videos: [] });
  });

  it("is what a global admin may do anywhere, and is logged then", async () => {
    const admin = await globalAdmin(h);
    const secret = await makeTopic(owner, "secret");
    const { id } = await makePost(owner, secret.id);
    const edited = await admin.api.call(contract.posts.update, {
      postId: id,
      title: "Cleaned",
      tags: ["cleaned"],
    });
    expect(edited.post.title).toBe("Cleaned");
    expect(await staffActs(h.db, secret.id)).toEqual([
      {
        action: "post_edited",
        actor_id: admin.user.userId,
        subject_id: owner.userId,
        post_id: id,
        comment_id: null,
        details: { fields: "title, tags" },
      },
    ]);
    // Editing one's own post is not an action of the staff.
    await change(id, { title: "Mine again" }, owner);
    expect(await staffActs(h.db, secret.id)).toHaveLength(1);
    // Tags of a secret topic count, but not in public counts.
    expect(await tagCounts(h.db, "cleaned", secret.id)).toEqual({ open: [0, 0], topic: [1, 1] });
  });
});

describe("400", () => {
  it("nothing to change", async () => {
    const { id } = await makePost(author, topicId);
    expect(await refused(id, {})).toMatchObject({ status: 400, code: "nothing_to_change" });
  });

  it.each([
    ["an empty title", { title: " " }, "title"],
    ["a title of 201 characters", { title: "x".repeat(201) }, "title"],
    ["content of 50,001 characters", { content: "x".repeat(50_001) }, "content"],
    ["nothing left of the content", { content: "<script>x</script>" }, "content"],
    ["six tags", { tags: ["a", "b", "c", "d", "e", "f"] }, "tags"],
    ["a tag without letters", { tags: ["!"] }, "tags.0"],
    ["eleven images", { media: { images: Array(11).fill("https://e.example/a.png") } }, "media.images"],
    ["an image that is not https", { media: { images: ["http://e.example/a.png"] } }, "media.images.0"],
    ["a video from elsewhere", { media: { videos: ["https://e.example/v"] } }, "media.videos.0"],
    ["a new poll without options", { poll: { question: "?" } }, "poll.options"],
    ["a poll with one option", { poll: { options: ["A"] } }, "poll.options"],
    ["a poll that closed", { poll: { closesAt: "2020-01-01T00:00:00Z" } }, "poll.closesAt"],
  ])("%s", async (_, body, field) => {
    const post = await makePost(author, topicId);
    expect(await refused(post.id, body)).toMatchObject({ status: 400, field });
    expect((await h.guest.call(contract.posts.get, { postId: post.id })).post.updatedAt).toBe(post.updatedAt);
  });
});

describe("403", () => {
  it("everyone but the author: members, admins and the topic's owner", async () => {
    const { id } = await makePost(author, topicId);
    const admin = await signIn(h);
    await addTo(h.db, topicId, admin, "admin");
    for (const user of [owner, admin]) {
      expect(await refused(id, { title: "x" }, user)).toMatchObject({ status: 403, code: "not_the_author" });
    }
    const outsider = await signIn(h);
    expect(await refused(id, { title: "x" }, outsider)).toMatchObject({ status: 403, code: "not_a_member" });
  });

  it("an author who left, is muted, or whose post was hidden", async () => {
    const topic = await makeTopic(owner);
    const user = await signIn(h);
    await addTo(h.db, topic.id, user);
    const { id } = await makePost(user, topic.id);
    const hidden = (hidden_at: Date | null) =>
      h.db.updateTable("posts").set({ hidden_at }).where("id", "=", id);
    await hidden(new Date()).execute();
    expect(await refused(id, { title: "x" }, user)).toMatchObject({ status: 403, code: "post_hidden" });
    await hidden(null).execute();
    const sanction = {
      topic_id: topic.id,
      user_id: user.userId,
      kind: "mute",
      reason: "r",
      until: null,
    } as const;
    await h.db
      .insertInto("sanctions")
      .values({ ...sanction, created_by: owner.userId })
      .execute();
    expect(await refused(id, { title: "x" }, user)).toMatchObject({ status: 403, code: "muted" });
    await h.db.deleteFrom("memberships").where("user_id", "=", user.userId).execute();
    expect(await refused(id, { title: "x" }, user)).toMatchObject({ status: 403, code: "not_a_member" });
  });
});

describe("404", () => {
  it("a deleted post", async () => {
    const { id } = await makePost(author, topicId);
    await author.api.call(contract.posts.delete, { postId: id });
    expect(await refused(id, { title: "x" })).toMatchObject({ status: 404, code: "post_not_found" });
  });
});

describe("409", () => {
  it("a recorded post, for its author and a global admin", async () => {
    const { id } = await makePost(author, topicId);
    await h.db.updateTable("posts").set({ record_count: 1 }).where("id", "=", id).execute();
    expect(await refused(id, { title: "x" })).toMatchObject({ status: 409, code: "post_recorded" });
    const admin = await globalAdmin(h);
    const call = admin.api.call(contract.posts.update, { postId: id, tags: [] });
    expect(await refusalOf(call)).toMatchObject({ status: 409, code: "post_recorded" });
  });
});

// The change as a whole is one transaction.
it("changes nothing when a part of it fails", async () => {
  const post = await makePost(author, topicId);
  await h.db.schema.alterTable("post_search").renameTo("post_search_away").execute();
  try {
    const body = { title: "x", tags: ["half-way"], poll: { options } };
    const answer = await h.send("PATCH", `/api/posts/${post.id}`, { token: author.token, body });
    expect(answer.status).toBe(500);
  } finally {
    await h.db.schema.alterTable("post_search_away").renameTo("post_search").execute();
  }
  const read = (await h.guest.call(contract.posts.get, { postId: post.id })).post;
  expect(read).toEqual({ ...post, viewCount: 1, abilities: [] });
});
