import { afterAll, beforeAll, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let postId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  postId = (await makePost(owner, (await makeTopic(owner)).id)).id;
});
afterAll(() => h.close());

const toggle = (user = owner) => user.api.call(contract.posts.bookmark, { postId });
const read = (user = owner) => user.api.call(contract.posts.getBookmark, { postId });

it("off, on, off; for the caller only", async () => {
  expect(await read()).toEqual({ bookmarked: false });
  expect(await toggle()).toEqual({ bookmarked: true });
  expect(await read()).toEqual({ bookmarked: true });
  const outsider = await signIn(h);
  expect(await read(outsider)).toEqual({ bookmarked: false });
  expect((await owner.api.call(contract.posts.get, { postId })).post.userBookmarked).toBe(true);
  expect(await toggle()).toEqual({ bookmarked: false });
  expect(await read()).toEqual({ bookmarked: false });
});

it("needs membership; a mute does not matter", async () => {
  const topic = await makeTopic(owner);
  const post = await makePost(owner, topic.id);
  const user = await signIn(h);
  const call = () => user.api.call(contract.posts.bookmark, { postId: post.id });
  expect(await refusalOf(call())).toMatchObject({ status: 403, code: "not_a_member" });
  await addTo(h.db, topic.id, user);
  await h.db
    .insertInto("sanctions")
    .values({
      topic_id: topic.id,
      user_id: user.userId,
      kind: "mute",
      reason: "r",
      created_by: owner.userId,
      until: null,
    })
    .execute();
  expect(await call()).toEqual({ bookmarked: true });
});
