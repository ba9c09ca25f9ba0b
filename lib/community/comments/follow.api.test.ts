import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { openEvents } from "@/lib/testing/events";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let member: TestUser;
let outsider: TestUser;
beforeAll(async () => {
  h = await createHarness({ live: { stateMs: 10, lookMs: 60_000 } });
  owner = await signIn(h, "owner");
  member = await signIn(h, "member");
  outsider = await signIn(h, "outsider");
});
afterAll(() => h.close());

async function thread(visibility: "public" | "private" = "public") {
  const { id: topicId } = await makeTopic(owner, visibility);
  await addTo(h.db, topicId, member);
  return { topicId, postId: (await makePost(owner, topicId)).id };
}
const say = async (postId: string, content: string, user = owner) =>
  (await user.api.call(contract.comments.create, { postId, content })).comment;
const follow = (postId: string, token: string) =>
  openEvents(h, contract.comments.follow, `/api/posts/${postId}/events`, { token });

describe("GET /api/posts/{postId}/events", () => {
  it("says how far the thread has come, at first and with each comment, to everyone who follows it", async () => {
    const [{ postId }, elsewhere] = [await thread(), await thread()];
    await say(postId, "one");
    const streams = [await follow(postId, member.token), await follow(postId, outsider.token)];
    for (const stream of streams)
      expect(await stream.next("thread")).toMatchObject({ data: { position: 1 } });
    await say(elsewhere.postId, "of no concern");
    const { id: commentId } = await say(postId, "two", member);
    for (const stream of streams)
      expect(await stream.next("thread")).toMatchObject({ data: { position: 2 } });
    // What is deleted leaves the number as it is.
    await member.api.call(contract.comments.delete, { commentId });
    await say(postId, "three");
    for (const stream of streams) {
      expect(await stream.next("thread")).toMatchObject({ data: { position: 3 } });
      expect(stream.all("thread").map(({ position }) => position)).toEqual([1, 2, 3]);
      await stream.close();
    }
  });

  it("is for whoever may read the post, and ends with that right", async () => {
    const { topicId, postId } = await thread("private");
    await expect(follow(postId, outsider.token)).rejects.toThrow(/403.*not_a_member/);
    await expect(follow(postId, "")).rejects.toThrow(/401/);
    await expect(follow(crypto.randomUUID(), member.token)).rejects.toThrow(/404.*post_not_found/);
    const [theirs, others] = [await follow(postId, member.token), await follow(postId, owner.token)];
    for (const stream of [theirs, others]) await stream.next("thread");
    await owner.api.call(contract.members.remove, { topicId, userId: member.userId });
    await theirs.end();
    await say(postId, "for those inside");
    expect((await others.next("thread")).data).toEqual({ position: 1 });
    expect(theirs.all("thread")).toEqual([{ position: 0 }]);
    await others.close();
  });
});

describe("GET /api/posts/{postId}/comments", () => {
  it("lists the comments as the post's page does, and counts no view", async () => {
    const { postId } = await thread();
    for (const content of ["a", "b", "c"]) await say(postId, content);
    const before = await h.guest.call(contract.posts.get, { postId });
    const texts = async (query: object) => {
      const { comments, nextCursor } = await h.guest.call(contract.comments.list, { postId, ...query });
      return { texts: comments.map(({ content }) => content), nextCursor };
    };
    const first = await texts({ limit: 2, sort: "new" });
    expect(first.texts).toEqual(["c", "b"]);
    const cursor = first.nextCursor ?? "";
    expect(await texts({ limit: 2, sort: "new", cursor })).toEqual({ texts: ["a"], nextCursor: null });
    const { comments } = await h.guest.call(contract.comments.list, { postId });
    expect(comments).toEqual(before.comments);
    const after = await h.guest.call(contract.posts.get, { postId });
    expect(after.post.viewCount - before.post.viewCount).toBeLessThanOrEqual(1);
  });

  it("is refused to those who may not read the post", async () => {
    const { postId } = await thread("private");
    await say(postId, "inside");
    for (const [api, code] of [
      [outsider.api, "not_a_member"],
      [h.guest, "not_authenticated"],
    ] as const) {
      expect(await refusalOf(api.call(contract.comments.list, { postId }))).toMatchObject({ code });
    }
    expect((await member.api.call(contract.comments.list, { postId })).comments).toHaveLength(1);
  });
});
