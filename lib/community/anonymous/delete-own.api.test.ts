import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { publishRoots } from "../crowd/publish";
import { makePost, makeTopic, refusalOf, signIn } from "../testing";
import { crowdOf, type Insider, standInMemberships } from "./testing";

let clock = Date.UTC(2026, 10, 28, 12, 3);
let h: Harness;
let owner: TestUser;
let topicId: string;
let author: Insider;
let other: Insider;

const setClock = (at: number) => {
  clock = at;
};

beforeAll(async () => {
  h = await createHarness({
    now: () => new Date(clock),
    env: { ANONYMOUS_MINIMUM: "2" },
    memberships: standInMemberships,
  });
});
afterAll(() => h.close());
beforeEach(async () => {
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  const [one, two] = await crowdOf(h, topicId, 2, setClock);
  if (!one || !two) throw new Error("nobody is there");
  [author, other] = [one, two];
});

const read = async (postId: string) => await owner.api.call(contract.posts.get, { postId });
const postCount = async () => (await owner.api.call(contract.topics.get, { topicId })).topic.postCount;

describe("an author deletes their own text without a name", () => {
  it("a post, whose text is gone and whose page and comments stay", async () => {
    const { postId } = await author.writePost(0, { title: "Said too much", tags: ["pay"] });
    await other.writeComment(postId, 0, "Thanks.");
    await author.deleteText(postId);
    const { post, comments } = await read(postId);
    expect(post).toMatchObject({ title: "", content: "", isDeleted: true, tags: [] });
    expect(comments).toMatchObject([{ content: "Thanks." }]);
    expect(await postCount()).toBe(0);
    // An answer that was lost: the same again, counted once.
    await author.deleteText(postId);
    expect(await postCount()).toBe(0);
    const { evidence } = await h.guest.call(contract.anonymous.evidence, { postId });
    expect(evidence.act).toBeNull();
  });

  it("a comment, also under a post that is gone, and also a hidden one", async () => {
    const { id: postId } = await makePost(owner, topicId);
    const { commentId } = await author.writeComment(postId, 0, "A slip.");
    const second = await author.writeComment(postId, 1, "Another.");
    await owner.api.call(contract.moderation.hideComment, { commentId: second.commentId, hidden: true });
    await author.deleteText(postId, commentId);
    await author.deleteText(postId, second.commentId);
    const { post, comments } = await read(postId);
    expect(comments).toMatchObject([
      { content: "", isDeleted: true, deletedBy: "author" },
      { content: "", isDeleted: true, deletedBy: "author" },
    ]);
    expect(post.commentCount).toBe(0);
    const third = await author.writeComment(postId, 2, "A third.");
    await owner.api.call(contract.posts.delete, { postId });
    await author.deleteText(postId, third.commentId);
    const row = await h.db
      .selectFrom("comments")
      .select(["content", "deleted_by"])
      .where("id", "=", third.commentId)
      .executeTakeFirst();
    expect(row).toEqual({ content: "", deleted_by: "author" });
  });

  it("after a ban, and after leaving the crowd, by a root of before", async () => {
    const { postId } = await author.writePost();
    await owner.api.call(contract.anonymous.ban, { postId, weeks: 1, reason: "r" });
    await author.user.api.call(contract.crowd.withdraw, { topicId });
    clock += 10 * 60_000;
    await publishRoots(h.services);
    await expect(author.deletion(postId)).rejects.toThrow("not in the crowd");
    await author.deleteText(postId, null, 1);
    expect((await read(postId)).post.isDeleted).toBe(true);
  });
});

it("who deletes a text can be banned for it all the same, by staff alone", async () => {
  const { postId } = await author.writePost();
  const { commentId } = await author.writeComment(postId, 1);
  await author.deleteText(postId, commentId);
  await author.deleteText(postId);
  for (const body of [{ commentId }, {}]) {
    const ban = { postId, weeks: 1, reason: "r", ...body };
    expect(await refusalOf(other.user.api.call(contract.anonymous.ban, ban))).toMatchObject({
      ...{ status: 403, code: "role_required" },
    });
    await owner.api.call(contract.anonymous.ban, ban);
  }
  clock += 1;
  await expect(author.post(2)).rejects.toThrow("banned");
  await other.writePost();
});

describe("nobody else deletes it", () => {
  it("by another secret, another text's proof, or a root that there is not", async () => {
    const { postId } = await author.writePost();
    const { commentId } = await author.writeComment(postId, 1);
    const call = (body: object) => refusalOf(h.guest.call(contract.anonymous.delete, { ...mine, ...body }));
    const mine = await author.deletion(postId);
    expect(await refusalOf(other.deleteText(postId))).toMatchObject({
      ...{ status: 400, code: "membership_invalid", field: "membership.scopeNullifier" },
    });
    // One's own number, and the proof of somebody else.
    const { membership } = await other.deletion(postId);
    const { scopeNullifier } = mine.membership;
    expect(await call({ membership: { ...membership, scopeNullifier } })).toMatchObject({
      code: "membership_invalid",
    });
    expect(await call({ commentId })).toMatchObject({ code: "membership_invalid" });
    expect(await call({ membership: { ...mine.membership, root: 99 } })).toMatchObject({
      ...{ status: 404, code: "root_not_found", field: "membership.root" },
    });
    // The proof of a text is none of its deletion.
    const { membership: said } = await author.comment(postId, 2);
    const { slotNullifier, proof } = said;
    expect(await call({ membership: { ...mine.membership, slotNullifier, proof } })).toMatchObject({
      code: "membership_invalid",
    });
    expect((await read(postId)).post.isDeleted).toBe(false);
    expect(await postCount()).toBe(1);
  });

  it("and a name is not taken for it, nor a text of somebody with a name", async () => {
    const { id } = await makePost(owner, topicId);
    const { postId } = await author.writePost();
    const { topicId: _, ...body } = { topicId, ...(await author.deletion(postId)) };
    const path = (post: string) => `/api/posts/${post}/anonymous/deletions`;
    const answer = await h.send("POST", path(postId), { body, token: author.user.token });
    expect(answer).toMatchObject({ status: 400, body: { code: "credentials_not_allowed" } });
    expect(await refusalOf(author.deleteText(id))).toMatchObject({ status: 400, code: "not_anonymous" });
    expect(await refusalOf(author.deleteText(randomUUID()))).toMatchObject({ code: "post_not_found" });
    expect(await refusalOf(author.deleteText(postId, randomUUID()))).toMatchObject({
      ...{ code: "comment_not_found", field: "commentId" },
    });
  });

  it("in a topic that not everyone reads, whoever has no key learns nothing", async () => {
    const closed = (await makeTopic(owner, "secret")).id;
    const [inside] = await crowdOf(h, closed, 2, setClock);
    if (!inside) throw new Error("nobody is there");
    const { postId } = await inside.writePost();
    const body = await inside.deletion(postId);
    for (const key of [undefined, "x".repeat(22)])
      expect(await refusalOf(h.guest.call(contract.anonymous.delete, { ...body, key }))).toMatchObject({
        ...{ status: 404, code: "post_not_found" },
      });
    await inside.deleteText(postId);
  });

  it("ten times at once deletes once", async () => {
    const { postId } = await author.writePost();
    const { commentId } = await author.writeComment(postId, 1);
    const both = [await author.deletion(postId), await author.deletion(postId, commentId)];
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => i).flatMap(() =>
        both.map((body) => h.guest.call(contract.anonymous.delete, body)),
      ),
    );
    expect(await postCount()).toBe(0);
    const { comment_count } = await h.db
      .selectFrom("posts")
      .select("comment_count")
      .where("id", "=", postId)
      .executeTakeFirstOrThrow();
    const deltas = await h.db
      .selectFrom("post_deltas")
      .select("comments")
      .where("post_id", "=", postId)
      .execute();
    expect(comment_count + deltas.reduce((sum, { comments }) => sum + comments, 0)).toBe(0);
  });
});
