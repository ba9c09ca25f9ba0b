import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
const topics = { public: "", private: "", secret: "" };
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  for (const visibility of ["public", "private", "secret"] as const) {
    topics[visibility] = (await makeTopic(owner, visibility)).id;
  }
  await post("public", ["Zero Knowledge", "shared"]);
  await post("public", ["Zero Knowledge"]);
  await post("private", ["private only", "shared"]);
  await post("secret", ["secret only", "shared", "Zero Knowledge"]);
});
afterAll(() => h.close());

const post = async (visibility: keyof typeof topics, tags: string[]) =>
  (
    await owner.api.call(contract.posts.create, {
      topicId: topics[visibility],
      title: "t",
      content: "c",
      tags,
    })
  ).post;
const list = async (query: { q?: string; topicId?: string } = {}, user?: TestUser) =>
  (await (user?.api ?? h.guest).call(contract.tags.list, query)).tags;
const counts = async (...args: Parameters<typeof list>) =>
  (await list(...args)).map((tag) => [tag.slug, tag.postCount]);

describe("without topicId", () => {
  it("the most used of public topics first, counted there", async () => {
    const expected = [
      ["zero-knowledge", 2],
      ["shared", 1],
    ];
    expect(await counts()).toEqual(expected);
    // The same for members: one list for everyone.
    expect(await counts({}, owner)).toEqual(expected);
    expect((await list())[0]).toEqual({
      id: expect.any(String),
      name: "Zero Knowledge",
      slug: "zero-knowledge",
      postCount: 2,
      createdAt: expect.any(String),
    });
  });

  it.each([
    ["ZERO k", ["zero-knowledge"]],
    ["zero-", ["zero-knowledge"]],
    ["Z", ["zero-knowledge"]],
    ["s", ["shared"]],
    ["knowledge", []],
    ["secret", []],
    ["%", []],
    ["_", []],
    ["!!!", []],
  ])("q=%s finds by the beginning of the slug", async (q, slugs) => {
    expect((await list({ q })).map((tag) => tag.slug)).toEqual(slugs);
  });

  it("is as if q was not there when q is empty", async () => {
    expect(await counts({ q: " " })).toEqual(await counts());
  });

  it("lists 20 at most, and 10 with q", async () => {
    const topic = await makeTopic(owner);
    topics.public = topic.id;
    for (let i = 0; i < 5; i += 1)
      await post(
        "public",
        Array.from({ length: 5 }, (_, j) => `many ${i} ${j}`),
      );
    expect(await list()).toHaveLength(20);
    expect(await list({ q: "many" })).toHaveLength(10);
    expect(await list({ topicId: topic.id })).toHaveLength(20);
    expect(await list({ topicId: topic.id, q: "many-3" })).toHaveLength(5);
    expect(await list({ topicId: topic.id, q: "zero" })).toEqual([]);
  });
});

describe("with topicId", () => {
  it("tags of the topic, counted in it, for its readers", async () => {
    expect((await counts({ topicId: topics.secret }, owner)).sort()).toEqual([
      ["secret-only", 1],
      ["shared", 1],
      ["zero-knowledge", 1],
    ]);
    const member = await signIn(h);
    await addTo(h.db, topics.private, member);
    expect(await counts({ topicId: topics.private, q: "pri" }, member)).toEqual([["private-only", 1]]);
  });

  it("leaves out tags that no visible post has", async () => {
    const topic = await makeTopic(owner);
    topics.public = topic.id;
    const { id } = await post("public", ["short lived"]);
    expect(await counts({ topicId: topic.id })).toEqual([["short-lived", 1]]);
    await owner.api.call(contract.posts.delete, { postId: id });
    expect(await counts({ topicId: topic.id })).toEqual([]);
    expect(await counts({ q: "short" })).toEqual([]);
  });

  it("401, 403 and 404 as the topic's posts answer", async () => {
    const refused = (topicId: string, user?: TestUser) => refusalOf(list({ topicId }, user));
    expect(await refused(topics.private)).toMatchObject({ status: 401, code: "not_authenticated" });
    const outsider = await signIn(h);
    expect(await refused(topics.private, outsider)).toMatchObject({ status: 403, code: "not_a_member" });
    expect(await refused(topics.secret, outsider)).toMatchObject({ status: 403, code: "not_a_member" });
    for (const id of [topics.secret, randomUUID(), "x", ""]) {
      expect(await refused(id), id).toMatchObject({ status: 404, code: "topic_not_found" });
    }
  });
});

describe("security F8: what other topics wrote", () => {
  const spelt = async (...args: Parameters<typeof list>) =>
    (await list(...args)).map(({ name, createdAt }) => [name, createdAt]);

  it("shows each reader the spelling and first use of the posts they may read", async () => {
    const outsider = await signIn(h);
    const own = (await makeTopic(outsider)).id;
    const q = "zeus";
    const hidden = await post("secret", ["Zeus LAYOFFS"]);
    expect(await list({ q })).toEqual([]);
    const guessed = async (name: string) =>
      (
        await outsider.api.call(contract.posts.create, {
          topicId: own,
          title: "t",
          content: "c",
          tags: [name],
        })
      ).post;
    const first = await guessed("zeus layoffs");
    const second = await guessed("ZEUS layoffs");
    expect([first.tags[0]?.name, second.tags[0]?.name]).toEqual(["zeus layoffs", "ZEUS layoffs"]);
    for (const query of [{ q }, { q, topicId: own }]) {
      expect(await spelt(query, outsider)).toEqual([["zeus layoffs", first.createdAt]]);
    }
    expect(await spelt({ q, topicId: topics.secret }, owner)).toEqual([["Zeus LAYOFFS", hidden.createdAt]]);
    // Editing a post's tags keeps the first use of those it had; deleting the post ends it.
    await outsider.api.call(contract.posts.update, { postId: first.id, tags: ["more", "zeus layoffs"] });
    expect(await spelt({ q })).toEqual([["zeus layoffs", first.createdAt]]);
    await outsider.api.call(contract.posts.delete, { postId: first.id });
    expect(await spelt({ q })).toEqual([["ZEUS layoffs", second.createdAt]]);
  });

  it("security F4e: a hidden post's tags neither appear nor count until it is shown again", async () => {
    const { id: postId } = await post("public", ["abusive name", "shared"]);
    const lists = async () => [
      await counts({ q: "abusive" }),
      await counts({ q: "abusive", topicId: topics.public }),
      (await counts({ q: "shared" }))[0]?.[1],
    ];
    const before = await lists();
    expect(before.slice(0, 2)).toEqual([[["abusive-name", 1]], [["abusive-name", 1]]]);
    const hide = (hidden: boolean) =>
      owner.api.call(contract.moderation.hidePost, { postId, hidden, reason: "r" });
    await hide(true);
    expect(await lists()).toEqual([[], [], Number(before[2]) - 1]);
    await hide(false);
    expect(await lists()).toEqual(before);
    await hide(true);
    await owner.api.call(contract.posts.delete, { postId });
    expect(await lists()).toEqual([[], [], Number(before[2]) - 1]);
  });
});
