import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { reactionEmojis } from "@/lib/contract/posts";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { createCast, makePost, refusalOf, signIn } from "../testing";

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

type Emoji = (typeof reactionEmojis)[number] | "\u{2764}";
const react = (postId: string, emoji: Emoji, user = owner) =>
  user.api.call(contract.posts.react, { postId, emoji });
const seen = async (postId: string, user?: TestUser) =>
  (await (user?.api ?? h.guest).call(contract.posts.reactions, { postId })).reactions;

describe("200", () => {
  it("absent, present, absent", async () => {
    const { id } = await makePost(owner, topicId);
    expect(await react(id, "\u{1F44D}")).toEqual({ added: true });
    expect(await react(id, "\u{1F44D}")).toEqual({ added: false });
    expect(await seen(id)).toEqual([]);
    expect(await react(id, "\u{1F44D}")).toEqual({ added: true });
    expect(await seen(id)).toEqual([{ emoji: "\u{1F44D}", count: 1, userReacted: false }]);
  });

  it("all six, in their order, counted over people; what is the reader's own", async () => {
    const { id } = await makePost(owner, topicId);
    for (const emoji of [...reactionEmojis].reverse()) await react(id, emoji);
    await react(id, "\u{1F525}", member);
    const expected = (mine: readonly string[]) =>
      reactionEmojis.map((emoji) => ({
        emoji,
        count: emoji === "\u{1F525}" ? 2 : 1,
        userReacted: mine.includes(emoji),
      }));
    expect(await seen(id, owner)).toEqual(expected(reactionEmojis));
    expect(await seen(id, member)).toEqual(expected(["\u{1F525}"]));
    expect(await seen(id)).toEqual(expected([]));
    expect((await member.api.call(contract.posts.get, { postId: id })).post.reactions).toEqual(
      expected(["\u{1F525}"]),
    );
  });

  it("treats the bare heart as the heart with its selector", async () => {
    const { id } = await makePost(owner, topicId);
    expect(await react(id, "\u{2764}")).toEqual({ added: true });
    expect(await seen(id)).toEqual([{ emoji: "\u{2764}\u{FE0F}", count: 1, userReacted: false }]);
    expect(await react(id, "\u{2764}\u{FE0F}")).toEqual({ added: false });
  });
});

describe("400", () => {
  it.each([
    {},
    { emoji: "" },
    { emoji: "\u{1F44E}" },
    { emoji: "\u{1F44D}\u{1F3FD}" },
    { emoji: "heart" },
    { emoji: ["\u{1F44D}"] },
  ])("%j", async (body) => {
    const { id } = await makePost(owner, topicId);
    const answer = await h.send("POST", `/api/posts/${id}/reactions`, { token: owner.token, body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", field: "emoji" } });
    expect(await seen(id)).toEqual([]);
  });
});

describe("403", () => {
  it("outsiders, and everyone under a hidden post", async () => {
    const { id } = await makePost(owner, topicId);
    const call = react(id, "\u{1F44D}", await signIn(h));
    expect(await refusalOf(call)).toMatchObject({ status: 403, code: "not_a_member" });
    await h.db.updateTable("posts").set({ hidden_at: new Date() }).where("id", "=", id).execute();
    expect(await refusalOf(react(id, "\u{1F44D}"))).toMatchObject({ status: 403, code: "post_hidden" });
  });
});
