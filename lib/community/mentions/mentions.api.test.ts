import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { notificationsOf } from "../notifications/testing";
import { addTo, type Cast, createCast, makePost, signIn } from "../testing";

let cast: Cast;
let topicId: string;
let member: TestUser;
let owner: TestUser;
beforeAll(async () => {
  cast = await createCast();
  ({ member, owner } = cast);
  topicId = await cast.place("private");
});
afterAll(() => cast.h.close());

const named = (...users: TestUser[]) => users.map(({ userId, nickname }) => ({ userId, nickname }));
const at = (user: TestUser) => `@${user.nickname}`;
const page = async (postId: string, by = owner) => await by.api.call(contract.posts.get, { postId });
const rows = (postId: string) =>
  cast.h.db.selectFrom("mentions").select("user_id").where("post_id", "=", postId).execute();

describe("whom a text names", () => {
  it("is said of posts and comments, wherever they are read: members only, whatever their case", async () => {
    const text = `<p>${at(owner).toUpperCase()} ${at(cast.outsider)} @nobody_at_all ${at(member)}</p>`;
    const post = await makePost(member, topicId, "Names", text);
    expect(post.mentions).toEqual(named(member, owner));
    expect(post.content).toBe(text);
    const { comment } = await member.api.call(contract.comments.create, {
      postId: post.id,
      content: at(cast.admin),
    });
    expect(comment.mentions).toEqual(named(cast.admin));
    const read = await page(post.id);
    expect([read.post.mentions, read.comments[0]?.mentions]).toEqual([
      named(member, owner),
      named(cast.admin),
    ]);
    const { posts } = await owner.api.call(contract.posts.list, { topicId });
    expect(posts.find(({ id }) => id === post.id)?.mentions).toEqual(named(member, owner));
  });

  it("follows edits, nicknames and deletions", async () => {
    const friend = await signIn(cast.h, "friend");
    await addTo(cast.h.db, topicId, friend);
    const { id: postId } = await makePost(member, topicId, "Names", `<p>${at(owner)} ${at(friend)}</p>`);
    const written = { postId, content: at(friend) };
    const { id: commentId } = (await member.api.call(contract.comments.create, written)).comment;
    const nickname = "renamed_friend";
    await friend.api.call(contract.profile.setNickname, { nickname });
    expect((await page(postId)).post.mentions).toEqual([
      ...named(owner),
      { userId: friend.userId, nickname },
    ]);
    const content = `<p>@${nickname} ${at(cast.admin)}</p>`;
    const { post } = await member.api.call(contract.posts.update, { postId, content });
    expect(post.mentions).toEqual([...named(cast.admin), { userId: friend.userId, nickname }]);
    const changed = await member.api.call(contract.comments.update, { commentId, content: "nobody" });
    expect(changed.comment.mentions).toEqual([]);
    await member.api.call(contract.comments.update, { commentId, content: at(owner) });
    await member.api.call(contract.comments.delete, { commentId });
    await member.api.call(contract.posts.delete, { postId });
    expect(await rows(postId)).toEqual([]);
  });

  it("stays as it was where an edit leaves the text", async () => {
    const { id: postId } = await makePost(member, topicId, "Names", `<p>${at(owner)}</p>`);
    const { post } = await member.api.call(contract.posts.update, { postId, title: "Other" });
    expect(post.mentions).toEqual(named(owner));
  });

  it("does not notify of a hidden text", async () => {
    const { id: postId } = await makePost(member, topicId, "Names", `<p>${at(owner)}</p>`);
    const other = await signIn(cast.h);
    await addTo(cast.h.db, topicId, other);
    await cast.admin.api.call(contract.moderation.hidePost, { postId, hidden: true });
    expect((await page(postId, other)).post).toMatchObject({ content: "", mentions: [] });
    expect((await page(postId, member)).post.mentions).toEqual(named(owner));
  });

  it("mentions ten users at most, the first ones that exist", async () => {
    const people: TestUser[] = [];
    for (let i = 0; i < 12; i += 1) {
      const user = await signIn(cast.h, "crowd");
      await addTo(cast.h.db, topicId, user);
      people.push(user);
    }
    const content = ["@nobody_1", "@nobody_2", ...people.map(at)].join(" ");
    const { id: postId } = await makePost(member, topicId);
    const { comment } = await member.api.call(contract.comments.create, { postId, content });
    const ids = new Set(comment.mentions.map(({ userId }) => userId));
    expect(ids).toEqual(new Set(people.slice(0, 10).map(({ userId }) => userId)));
    expect(await notificationsOf(people[9] ?? owner)).toHaveLength(1);
    expect(await notificationsOf(people[10] ?? owner)).toEqual([]);
  });

  it("forgets withdrawn users; a later user with the name is not mentioned", async () => {
    const gone = await signIn(cast.h, "gone");
    await addTo(cast.h.db, topicId, gone);
    const { id: postId } = await makePost(member, topicId, "Names", `<p>${at(gone)}</p>`);
    await gone.api.call(contract.profile.deleteAccount, {});
    expect(await rows(postId)).toEqual([]);
    await addTo(cast.h.db, topicId, await cast.h.login(gone.nickname));
    expect((await page(postId)).post.mentions).toEqual([]);
  });
});
