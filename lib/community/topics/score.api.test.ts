import { afterAll, beforeAll, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { getPost, getTopic } from "../index";
import { topicScore } from "../scores";
import { makePost, makeTopic, signIn } from "../testing";
import { refreshMovedTopicScores } from "./score";

let h: Harness;
let owner: TestUser;
let clock = Date.UTC(2026, 0, 1);
const day = 86_400_000;
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
});
afterAll(() => h.close());

async function scoreOf(topicId: string): Promise<number> {
  await h.idle();
  return (await h.guest.call(contract.topics.get, { topicId })).topic.score;
}

it("follows joins, posts and comments, and the hour for topics whose window moved", async () => {
  owner = await signIn(h, "owner");
  const { id: topicId, createdAt } = await makeTopic(owner);
  const expected = (members: number, recentPosts: number) =>
    topicScore({ members, recentPosts, createdAt: new Date(createdAt), now: new Date(clock) });

  const user = await signIn(h);
  await user.api.call(contract.topics.join, { topicId });
  expect(await scoreOf(topicId)).toBe(expected(2, 0));

  clock += day;
  const post = await makePost(owner, topicId);
  expect(await scoreOf(topicId)).toBe(expected(2, 1));

  clock += 2 * day;
  await user.api.call(contract.comments.create, { postId: post.id, content: "c" });
  expect(await scoreOf(topicId)).toBe(expected(2, 1));

  // A vote updates an old score; removing it is no activity.
  clock += day;
  await user.api.call(contract.posts.vote, { postId: post.id, value: 1 });
  const voted = expected(2, 1);
  expect(await scoreOf(topicId)).toBe(voted);
  clock += day;
  await user.api.call(contract.posts.vote, { postId: post.id, value: 1 });
  expect(await scoreOf(topicId)).toBe(voted);

  // The post is four days old and counts; four days later it does not.
  expect(await refreshMovedTopicScores(h.db, new Date(clock))).toBe(0);
  clock += 4 * day;
  expect(await refreshMovedTopicScores(h.db, new Date(clock))).toBe(1);
  expect(await scoreOf(topicId)).toBe(expected(2, 0));
  expect(await refreshMovedTopicScores(h.db, new Date(clock))).toBe(0);
});

it("answers pages that ask for what cannot be an id like any other absence", async () => {
  const ctx = { ...h.services, caller: null };
  await expect(getTopic(ctx, { topicId: "not-an-id" })).rejects.toMatchObject({ code: "topic_not_found" });
  await expect(getPost(ctx, { postId: "not-an-id", sort: "old", limit: 1 })).rejects.toMatchObject({
    code: "post_not_found",
  });
});
