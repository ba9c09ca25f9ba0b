import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { addTo, clientWith, makePost, makeTopic, refusalOf, signIn } from "../testing";

/** Images inside the text of a post go to storage with it, or not at all. */
let h: Harness;
let owner: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
});
afterAll(() => h.close());

const inline = (seed: number) =>
  `<img src="data:image/png;base64,${png(1, 1, seed).toString("base64")}" alt="x">`;
const keys = async () => (await h.db.selectFrom("uploads").select("key").execute()).map((row) => row.key);

describe("an image inside the text", () => {
  it("refuses a post of a user who was removed while it was being stored", async () => {
    const member = await signIn(h, "member");
    await addTo(h.db, topicId, member);
    const { storage } = h.services;
    const put: typeof storage.put = async (...file) => {
      await owner.api.call(contract.members.remove, { topicId, userId: member.userId });
      await storage.put(...file);
    };
    const slow = clientWith(h, member, { storage: { ...storage, put } });
    const before = await h.db.selectFrom("posts").select("id").where("topic_id", "=", topicId).execute();
    const content = `<p>words</p>${inline(9)}`;
    const late = slow.call(contract.posts.create, { topicId, title: "t", content });
    expect(await refusalOf(late)).toMatchObject({ status: 403, code: "not_a_member" });
    const after = await h.db.selectFrom("posts").select("id").where("topic_id", "=", topicId).execute();
    expect(after).toEqual(before);
    expect(await keys()).toEqual([]);
  });

  it("is stored when the post is written and when it is changed, and read at its address", async () => {
    const content = `<p>words</p>${inline(1)}`;
    const { post } = await owner.api.call(contract.posts.create, { topicId, title: "t", content });
    const [key = ""] = await keys();
    const source = h.services.storage.htmlUrl(key);
    expect(post.content).toContain(`<img src="${source}" alt="x"`);
    expect(post.content).not.toContain("data:");
    const { post: changed } = await owner.api.call(contract.posts.update, {
      postId: post.id,
      content: `${post.content}${inline(2)}`,
    });
    expect(changed.content.match(/<img/g)).toHaveLength(2);
    expect(changed.content).toContain(source);
    expect(await keys()).toHaveLength(2);
    for (const stored of await keys()) expect(await h.services.storage.read(stored)).not.toBeNull();
  });

  it("is removed again when the post is refused: too long, or stopped by a rule inside the transaction", async () => {
    const before = await keys();
    const long = owner.api.call(contract.posts.create, {
      topicId,
      title: "t",
      content: inline(3) + "x".repeat(50_001),
    });
    expect(await refusalOf(long)).toMatchObject({ status: 400, field: "content" });

    const { id } = await makePost(owner, topicId);
    const poll = { options: ["A", "B"] };
    const made = await owner.api.call(contract.posts.update, { postId: id, poll });
    const optionIds = [made.post.poll?.options[0]?.id ?? ""];
    await owner.api.call(contract.posts.votePoll, { postId: id, optionIds });
    const frozen = owner.api.call(contract.posts.update, {
      postId: id,
      content: `<p>words</p>${inline(4)}`,
      poll: { options: ["A", "C"] },
    });
    expect(await refusalOf(frozen)).toMatchObject({ status: 409, code: "poll_frozen" });
    expect(await keys()).toEqual(before);
  });

  it("is not stored for someone who may not write", async () => {
    const before = await keys();
    const { id } = await makePost(owner, topicId);
    const outsider = await signIn(h);
    const content = inline(5);
    for (const call of [
      () => outsider.api.call(contract.posts.create, { topicId, title: "t", content }),
      () => outsider.api.call(contract.posts.update, { postId: id, content }),
    ]) {
      expect(await refusalOf(call())).toMatchObject({ status: 403 });
    }
    expect(await keys()).toEqual(before);
  });
});
