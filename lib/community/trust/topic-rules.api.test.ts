import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract, type HandlerInput } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { notificationsOf } from "../notifications/testing";
import { comeBack, identityOf } from "../profile/testing";
import { addTo, makePost, makeTopic, onePixel, refusalOf, signIn } from "../testing";

let h: Harness;
let clock = Date.now();
let owner: TestUser;
let member: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());
beforeEach(async () => {
  topicId = (await makeTopic(owner)).id;
  member = await signIn(h, "member");
  await addTo(h.db, topicId, member);
});

type Settings = Omit<HandlerInput<typeof contract.topics.update>, "topicId">;
const set = (settings: Settings) => owner.api.call(contract.topics.update, { topicId, ...settings });
const comment = async (user: TestUser, postId: string, content = "A comment.") =>
  (await user.api.call(contract.comments.create, { postId, content })).comment;
const link = '<p><a href="https://a.example">here</a></p>';

it("rules and the settings of a topic are read by everyone, the words only by staff", async () => {
  const settings = { rules: "Be kind.", slowModeSeconds: 60, linksAfterPosts: 2 };
  const { topic } = await set({ ...settings, reviewWords: ["gold", "gold", "silver"] });
  expect(topic).toMatchObject(settings);
  const guest = await h.guest.call(contract.topics.get, { topicId });
  expect([guest.topic, guest.reviewWords]).toEqual([expect.objectContaining(settings), null]);
  expect((await member.api.call(contract.topics.get, { topicId })).reviewWords).toBeNull();
  expect((await owner.api.call(contract.topics.get, { topicId })).reviewWords).toEqual(["gold", "silver"]);
  // Null and an empty text remove them.
  const none = { rules: null, slowModeSeconds: null, linksAfterPosts: 0 };
  expect((await set({ rules: "", slowModeSeconds: null, linksAfterPosts: 0 })).topic).toMatchObject(none);
});

describe("slow mode", () => {
  it("429 slow_mode between two posts or comments of a member, until the time is over", async () => {
    await set({ slowModeSeconds: 60 });
    const { id: postId } = await makePost(member, topicId);
    const refused = await h.send("POST", `/api/posts/${postId}/comments`, {
      token: member.token,
      body: { content: "Too soon." },
    });
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "slow_mode", until: new Date(clock + 60_000).toISOString() },
    });
    expect(refused.headers.get("retry-after")).toBe("60");
    // Of each member, in this topic; staff are exempt.
    const other = await signIn(h);
    await addTo(h.db, topicId, other);
    await comment(other, postId);
    for (let i = 0; i < 2; i += 1) await comment(owner, postId);
    clock += 60_000;
    await comment(member, postId);
    expect(await refusalOf(makePost(member, topicId))).toMatchObject({ code: "slow_mode" });
  });

  it("lets one of 20 parallel posts through", async () => {
    await set({ slowModeSeconds: 60 });
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => makePost(member, topicId)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("is not shed by leaving or withdrawing", async () => {
    await set({ slowModeSeconds: 3600 });
    await makePost(member, topicId);
    await member.api.call(contract.topics.leave, { topicId });
    await member.api.call(contract.topics.join, { topicId });
    expect(await refusalOf(makePost(member, topicId))).toMatchObject({ code: "slow_mode" });
    const identity = await identityOf(h, member);
    await member.api.call(contract.profile.deleteAccount, {});
    const back = await comeBack(h, identity);
    await addTo(h.db, topicId, back);
    expect(await refusalOf(makePost(back, topicId))).toMatchObject({ code: "slow_mode" });
  });
});

/** What the chat's history has for a reader. */
const chatFor = async (user: TestUser) =>
  (await user.api.call(contract.chat.list, { topicId })).messages.filter(({ type }) => type === "message");
const say = async (user: TestUser, message: string) =>
  (await user.api.call(contract.chat.send, { topicId, message })).message;

describe("in the chat", () => {
  it("slow mode counts messages with posts and comments; of several at once, one is let through", async () => {
    await set({ slowModeSeconds: 60 });
    await makePost(member, topicId);
    expect(await refusalOf(say(member, "Too soon."))).toMatchObject({ status: 429, code: "slow_mode" });
    clock += 60_000;
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => say(member, `Message ${n}`)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await refusalOf(makePost(member, topicId))).toMatchObject({ code: "slow_mode" });
    for (let i = 0; i < 2; i += 1) await say(owner, "Of staff");
  });

  it("links wait for accepted texts, also those that an edit adds", async () => {
    await set({ linksAfterPosts: 1 });
    expect(await refusalOf(say(member, "https://a.example"))).toMatchObject({ code: "links_too_early" });
    const { id: messageId } = await say(member, "Plain");
    const edit = () => member.api.call(contract.chat.update, { messageId, message: "See https://a.example" });
    expect(await refusalOf(edit())).toMatchObject({ code: "links_too_early" });
    await makePost(member, topicId);
    await edit();
  });

  it("a review word hides a message from all but staff and author until staff show it; nobody named is told", async () => {
    await set({ reviewWords: ["gold"] });
    const other = await signIn(h);
    await addTo(h.db, topicId, other);
    const sent = await say(member, `Gold, @${other.nickname}`);
    expect(sent).toMatchObject({ isHidden: true, message: `Gold, @${other.nickname}` });
    expect(await chatFor(other)).toEqual([expect.objectContaining({ isHidden: true, message: "" })]);
    for (const reader of [owner, member]) {
      expect(await chatFor(reader)).toEqual([
        expect.objectContaining({ isHidden: true, message: sent.message }),
      ]);
    }
    const kinds = async (user: TestUser) =>
      (await notificationsOf(user))
        .filter(({ details }) => details.messageId === sent.id)
        .map(({ kind, excerpt }) => [kind, excerpt]);
    expect(await kinds(member)).toEqual([["content_held", sent.message]]);
    expect(await kinds(owner)).toEqual([["review_opened", sent.message]]);
    expect(await kinds(other)).toEqual([]);
    const { entries } = await owner.api.call(contract.moderation.log, { topicId });
    expect(entries[0]).toMatchObject({
      action: "message_held",
      actorId: null,
      subjectId: member.userId,
      details: { messageId: sent.id },
    });
    await owner.api.call(contract.moderation.hideMessage, { messageId: sent.id, hidden: false });
    expect(await chatFor(other)).toEqual([
      expect.objectContaining({ isHidden: false, message: sent.message }),
    ]);
    expect((await say(owner, "Gold of staff")).isHidden).toBe(false);
  });

  it("an edit that adds a review word hides the message; a retry of the same text changes nothing", async () => {
    await set({ reviewWords: ["gold"] });
    const { id: messageId } = await say(member, "Silver");
    const edit = async (message: string) =>
      (await member.api.call(contract.chat.update, { messageId, message })).message;
    expect((await edit("Now gold")).isHidden).toBe(true);
    // Still hidden with other words: staff decide.
    expect((await edit("Silver again")).isHidden).toBe(true);
    expect((await owner.api.call(contract.moderation.queue, { topicId })).cases).toEqual([
      expect.objectContaining({ kind: "message", targetId: messageId, isWaiting: true }),
    ]);
    const { entries } = await owner.api.call(contract.moderation.log, { topicId });
    expect(entries.map(({ action }) => action)).toEqual(["message_held", "topic_edited"]);
  });
});

describe("links only after a number of texts", () => {
  it("403 links_too_early in posts, comments and edits, until so many were accepted in this topic", async () => {
    await set({ linksAfterPosts: 2 });
    const elsewhere = (await makeTopic(member)).id;
    for (let i = 0; i < 2; i += 1) await makePost(member, elsewhere);
    const refused = await makePost(member, topicId, "A post", link).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 403, code: "links_too_early", body: { acceptedMissing: 2 } });
    const { id: postId } = await makePost(member, topicId);
    const edit = () => member.api.call(contract.posts.update, { postId, content: link });
    expect(await refusalOf(edit())).toMatchObject({ code: "links_too_early" });
    const early = comment(member, postId, "https://a.example");
    expect(await refusalOf(early)).toMatchObject({ code: "links_too_early" });
    const said = await comment(member, postId);
    await edit();
    await owner.api.call(contract.moderation.hideComment, { commentId: said.id, hidden: true });
    expect(await refusalOf(makePost(member, topicId, "Again", link))).toMatchObject({
      code: "links_too_early",
    });
    await makePost(owner, topicId, "Of staff", link);
  });
});

describe("words that wait for review", () => {
  const shown = async (postId: string) =>
    (await h.guest.call(contract.posts.list, { topicId })).posts.some(({ id }) => id === postId);

  it("hide a post until staff show it; author and staff are told, nobody else", async () => {
    await set({ reviewWords: ["Gold"] });
    const { post } = await member.api.call(contract.posts.create, {
      topicId,
      title: "An offer",
      content: `<p>Buy GOLD, @${owner.nickname}</p>`,
      tags: ["offers"],
    });
    expect([post.isHidden, await shown(post.id)]).toEqual([true, false]);
    expect((await h.guest.call(contract.tags.list, { q: "offers" })).tags).toEqual([]);
    const kinds = async (user: TestUser) =>
      (await notificationsOf(user)).filter(({ postId }) => postId === post.id).map(({ kind }) => kind);
    expect([await kinds(member), await kinds(owner)]).toEqual([["content_held"], ["review_opened"]]);
    await owner.api.call(contract.moderation.hidePost, { postId: post.id, hidden: false });
    expect(await shown(post.id)).toBe(true);
    expect((await h.guest.call(contract.tags.list, { q: "offers" })).tags).toHaveLength(1);
    expect((await makePost(member, topicId, "Golden times")).isHidden).toBe(false);
    expect((await makePost(owner, topicId, "Gold, of staff")).isHidden).toBe(false);
  });

  it("hide comments, and what an edit adds", async () => {
    await set({ reviewWords: ["gold"] });
    const { id: postId } = await makePost(member, topicId);
    expect((await comment(member, postId, "Gold!")).isHidden).toBe(true);
    const said = await comment(member, postId);
    const edited = { commentId: said.id, content: "Edited: gold" };
    expect((await member.api.call(contract.comments.update, edited)).comment.isHidden).toBe(true);
    const { post } = await member.api.call(contract.posts.update, { postId, title: "Now of gold" });
    expect([post.isHidden, await shown(postId)]).toEqual([true, false]);
    // Still hidden with other words: staff decide.
    const { comments } = await owner.api.call(contract.posts.get, { postId });
    expect(comments.map(({ isHidden }) => isHidden)).toEqual([true, true]);
  });

  it("withhold the post's own pictures until then", async () => {
    await set({ reviewWords: ["gold"] });
    const { id: postId } = await makePost(
      member,
      topicId,
      "Gold",
      `<p>See</p><img src="${onePixel}" alt="">`,
    );
    const withheld = async () =>
      (
        await h.db.selectFrom("uploads").select("withheld").where("user_id", "=", member.userId).execute()
      ).map((row) => row.withheld);
    expect(await withheld()).toEqual([true]);
    await owner.api.call(contract.moderation.hidePost, { postId, hidden: false });
    expect(await withheld()).toEqual([false]);
  });
});
