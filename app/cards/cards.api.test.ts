import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gate, makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { openPost, openTopic } from "@/lib/metadata/open";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { cardVersion, postCard, topicCard } from "./_card/words";

/** Pictures for link previews: of what is open its own, of everything else the one of the site. */
let h: Harness;
let owner: TestUser;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await h.fetch(new Request(new URL(path, "http://localhost:3000"), { headers }));
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

it("an open topic and its posts have cards of their own", async () => {
  const { id: topicId } = await makeTopic(owner, "public", "어떤 이야기");
  const post = await makePost(owner, topicId, "A post");
  const [site, ofTopic, ofPost] = [
    await get("/cards/site"),
    await get(`/cards/topics/${topicId}`),
    await get(`/cards/posts/${post.id}`),
  ];
  for (const card of [site, ofTopic, ofPost]) {
    expect(card.status).toBe(200);
    expect(card.headers).toMatchObject({ "content-type": "image/png", "x-content-type-options": "nosniff" });
    expect(await sharp(card.body).metadata()).toMatchObject({ width: 1_200, height: 630 });
  }
  expect(ofTopic.body).not.toEqual(site.body);
  expect(ofPost.body).not.toEqual(ofTopic.body);
  const { headers } = ofPost;
  expect((await get(`/cards/posts/${post.id}`, { "if-none-match": headers.etag ?? "" })).status).toBe(304);
});

it("caches keep a card for a minute, so that what is taken down leaves them", async () => {
  const { id: topicId } = await makeTopic(owner);
  const { id: postId } = await makePost(owner, topicId);
  const [topic, post] = [await openTopic(h.services, topicId), await openPost(h.services, postId)];
  if (!topic || !post) throw new Error("both are open");
  const kept = async (path: string) => (await get(path)).headers["cache-control"];
  const addresses = [
    [`/cards/topics/${topicId}`, cardVersion(topicCard(topic))],
    [`/cards/posts/${postId}`, cardVersion(postCard(post, topic))],
  ] as const;
  for (const [path, version] of addresses) {
    expect(await kept(`${path}?v=${version}`)).toBe("public, max-age=60");
    expect(await kept(path)).toBe("public, max-age=60");
  }
});

it("what is closed, gone or never was has the card of the site, and nothing tells them apart", async () => {
  const expected = await get(`/cards/posts/${randomUUID()}`);
  expect(expected.body).toEqual((await get("/cards/site")).body);
  expect(expected.headers["cache-control"]).toBe("public, max-age=60");

  const closed: string[] = [`/cards/topics/${randomUUID()}`, "/cards/topics/nothing", "/cards/posts/nothing"];
  for (const visibility of ["private", "secret"] as const) {
    const { id } = await makeTopic(owner, visibility, `Closed ${visibility}`);
    const post = await makePost(owner, id);
    closed.push(`/cards/topics/${id}`, `/cards/posts/${post.id}`);
  }
  const gated = await makeTopic(owner, "private");
  await gate(h.db, gated.id, "kyc");
  closed.push(`/cards/topics/${gated.id}`);
  const { id: topicId } = await makeTopic(owner);
  const [hidden, deleted] = [await makePost(owner, topicId), await makePost(owner, topicId)];
  await owner.api.call(contract.moderation.hidePost, { postId: hidden.id, hidden: true });
  await owner.api.call(contract.posts.delete, { postId: deleted.id });
  closed.push(`/cards/posts/${hidden.id}`, `/cards/posts/${deleted.id}`);
  for (const path of closed) {
    expect(await get(path), path).toEqual(expected);
    // Nor does a session change anything.
    expect(await get(path, { authorization: `Bearer ${owner.token}` }), path).toEqual(expected);
  }
});
