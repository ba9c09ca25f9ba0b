import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { postSorts } from "@/lib/contract/posts";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { addTo, createCast, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { globalAdmin, staffActs } from "./testing";

let h: Harness;
let owner: TestUser;
let member: TestUser;
let topicId: string;
beforeAll(async () => {
  const cast = await createCast();
  ({ h, owner, member } = cast);
  topicId = await cast.place();
});
afterAll(() => h.close());

const pin = (postId: string, user = owner) => user.api.call(contract.posts.pin, { postId });

it("pins and unpins, is logged, and is no edit", async () => {
  const post = await makePost(member, topicId);
  expect(await pin(post.id)).toEqual({ isPinned: true });
  const read = (await h.guest.call(contract.posts.get, { postId: post.id })).post;
  expect(read).toMatchObject({ isPinned: true, updatedAt: post.updatedAt });
  const admin = await signIn(h);
  await addTo(h.db, topicId, admin, "admin");
  expect(await pin(post.id, admin)).toEqual({ isPinned: false });
  const entry = { subject_id: member.userId, post_id: post.id, comment_id: null, details: {} };
  expect(await staffActs(h.db, topicId)).toEqual([
    { ...entry, action: "post_pinned", actor_id: owner.userId },
    { ...entry, action: "post_unpinned", actor_id: admin.userId },
  ]);
});

it("comes first in its topic, in every sort", async () => {
  const topic = await makeTopic(owner);
  const old = await makePost(owner, topic.id);
  await makePost(owner, topic.id);
  await pin(old.id);
  for (const sort of postSorts) {
    const { posts } = await h.guest.call(contract.posts.list, { topicId: topic.id, sort });
    expect(
      posts.map((post) => post.isPinned),
      sort,
    ).toEqual([true, false]);
  }
});

describe("403", () => {
  it("members, outsiders, and global admins who are not members", async () => {
    const { id } = await makePost(member, topicId);
    expect(await refusalOf(pin(id, member))).toMatchObject({ status: 403, code: "role_required" });
    expect(await refusalOf(pin(id, await signIn(h)))).toMatchObject({ status: 403, code: "not_a_member" });
    const { api } = await globalAdmin(h);
    const call = api.call(contract.posts.pin, { postId: id });
    expect(await refusalOf(call)).toMatchObject({ status: 403, code: "not_a_member" });
  });

  it("a hidden post", async () => {
    const { id } = await makePost(member, topicId);
    await h.db.updateTable("posts").set({ hidden_at: new Date() }).where("id", "=", id).execute();
    expect(await refusalOf(pin(id))).toMatchObject({ status: 403, code: "post_hidden" });
  });
});
