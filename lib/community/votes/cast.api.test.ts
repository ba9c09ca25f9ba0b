import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { postScore } from "../scores";
import { addTo, makePost, makeTopic, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let other: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  other = await signIn(h, "other");
  topicId = (await makeTopic(owner)).id;
  await addTo(h.db, topicId, other);
});
afterAll(() => h.close());

const vote = (user: TestUser, postId: string, value: 1 | -1) =>
  user.api.call(contract.posts.vote, { postId, value });

describe("200", () => {
  // State, vote, state (spec, "States and transitions"): none, the value, its opposite.
  it.each([
    [[1], 1, 1],
    [[-1], -1, -1],
    [[1, 1], null, 0],
    [[-1, -1], null, 0],
    [[1, -1], -1, -1],
    [[-1, 1], 1, 1],
    [[1, 1, 1], 1, 1],
    [[1, -1, -1], null, 0],
  ] as const)("votes %j leave %s and a net count of %i", async (values, left, count) => {
    const post = await makePost(owner, topicId);
    const answers = [];
    for (const value of values) answers.push(await vote(owner, post.id, value));
    expect(answers.at(-1)).toEqual({ vote: left === null ? null : { value: left }, upvoteCount: count });
    const seen = (await owner.api.call(contract.posts.get, { postId: post.id })).post;
    expect(seen).toMatchObject({ userVoted: left, upvoteCount: count });
    expect(seen.score).toBe(postScore(count, new Date(post.createdAt)));
  });

  // One vote weighs nothing (log10 of 1): the score moves with the second.
  it("adds up over voters, and the score follows the new count", async () => {
    const post = await makePost(owner, topicId);
    const scoreNow = async () => (await h.guest.call(contract.posts.get, { postId: post.id })).post.score;
    await vote(owner, post.id, 1);
    expect((await vote(other, post.id, 1)).upvoteCount).toBe(2);
    expect(await scoreNow()).toBe(postScore(2, new Date(post.createdAt)));
    expect((await vote(other, post.id, -1)).upvoteCount).toBe(0);
    expect(await scoreNow()).toBe(postScore(0, new Date(post.createdAt)));
  });

  it("does not count as activity when it is removed, nor as an edit", async () => {
    const post = await makePost(owner, topicId);
    await vote(owner, post.id, 1);
    await vote(owner, post.id, 1);
    await h.idle();
    const { posts } = await h.guest.call(contract.posts.list, { topicId, sort: "new", limit: 1 });
    expect(posts[0]).toMatchObject({ id: post.id, updatedAt: post.updatedAt });
    const { topic } = await h.guest.call(contract.topics.get, { topicId });
    expect(topic.lastActivityAt).toBe(post.createdAt);
  });
});

describe("400", () => {
  it.each([{}, { value: 0 }, { value: 2 }, { value: "1" }, { value: null }, { value: true }, [], "{"])(
    "%j",
    async (body) => {
      const post = await makePost(owner, topicId);
      const answer = await h.send("POST", `/api/posts/${post.id}/vote`, { token: owner.token, body });
      expect(answer.status).toBe(400);
      expect((await h.guest.call(contract.posts.get, { postId: post.id })).post.upvoteCount).toBe(0);
    },
  );
});
