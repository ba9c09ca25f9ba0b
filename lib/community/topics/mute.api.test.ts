import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { impose } from "../moderation/testing";
import { clearNotifications, notificationsOf, say } from "../notifications/testing";
import { type Cast, createCast, makePost, refusalOf, signIn } from "../testing";

let cast: Cast;
let topicId: string;
let postId: string;
beforeAll(async () => {
  cast = await createCast();
  topicId = await cast.place("public");
  postId = (await makePost(cast.owner, topicId, "Muted words")).id;
});
afterAll(() => cast.h.close());

const mute = (by: TestUser, id = topicId) => by.api.call(contract.topics.mute, { topicId: id });
const unmute = (by: TestUser, id = topicId) => by.api.call(contract.topics.unmute, { topicId: id });
const settings = async (by: TestUser) => (await by.api.call(contract.topics.get, { topicId })).userSettings;

describe("a muted topic", () => {
  it("says so to its reader only; muting and taking it back can be repeated", async () => {
    expect(await settings(cast.member)).toMatchObject({ isMuted: false });
    expect(await mute(cast.member)).toEqual({ isMuted: true });
    expect(await mute(cast.member)).toEqual({ isMuted: true });
    expect(await settings(cast.member)).toMatchObject({ isMuted: true });
    expect(await settings(cast.owner)).toMatchObject({ isMuted: false });
    expect((await cast.h.guest.call(contract.topics.get, { topicId })).userSettings).toBeNull();
    expect(await unmute(cast.member)).toEqual({ isMuted: false });
    expect(await unmute(cast.member)).toEqual({ isMuted: false });
    expect(await settings(cast.member)).toMatchObject({ isMuted: false });
  });

  it("leaves every feed of its reader, and stays on its page, in search and in other feeds", async () => {
    const elsewhere = await makePost(cast.owner, await cast.place("private"), "Muted elsewhere");
    const feeds = async (by: TestUser) => {
      const lists = await Promise.all([
        by.api.call(contract.feed.list, { sort: "new" }),
        by.api.call(contract.feed.list, { sort: "new", view: "my" }),
        by.api.call(contract.feed.list, { sort: "new", view: "my", q: "muted" }),
      ]);
      return lists.map(({ posts }) => posts.map(({ id }) => id));
    };
    const both = [elsewhere.id, postId];
    expect(await feeds(cast.member)).toEqual([both, both, both]);
    await mute(cast.member);
    expect(await feeds(cast.member)).toEqual([[elsewhere.id], [elsewhere.id], [elsewhere.id]]);
    const page = await cast.member.api.call(contract.posts.list, { topicId });
    expect(page.posts.map(({ id }) => id)).toEqual([postId]);
    const found = await cast.member.api.call(contract.search.all, { q: "muted words" });
    expect(found.posts.map(({ id }) => id)).toContain(postId);
    expect(await feeds(cast.admin)).toEqual([both, both, both]);
    await mute(cast.outsider);
    const open = await cast.outsider.api.call(contract.feed.list, { sort: "new" });
    expect(open.posts).toEqual([]);
    await Promise.all([unmute(cast.member), unmute(cast.outsider)]);
    expect(await feeds(cast.member)).toEqual([both, both, both]);
  });

  it("sends its reader no conversation and its staff no duties, but what was decided about them", async () => {
    await Promise.all([mute(cast.member), mute(cast.admin)]);
    await clearNotifications(cast.h.db);
    const { id } = await makePost(cast.member, topicId);
    await say(cast.owner, id, `Hello @${cast.member.nickname}`);
    await cast.owner.api.call(contract.moderation.reportPost, { postId: id, reason: "spam" });
    expect(await notificationsOf(cast.member)).toEqual([]);
    expect(await notificationsOf(cast.admin)).toEqual([]);
    await impose(cast.owner, topicId, cast.member, "mute");
    expect((await notificationsOf(cast.member)).map(({ kind }) => kind)).toEqual(["member_muted"]);
    await Promise.all([unmute(cast.member), unmute(cast.admin)]);
  });
});

it("a topic that a user may not read cannot be muted, but a mute outlasts the right to read and can be ended", async () => {
  const secret = await cast.place("secret");
  expect(await refusalOf(mute(cast.outsider, secret))).toMatchObject({ status: 403, code: "not_a_member" });
  expect(await refusalOf(mute(cast.outsider, randomUUID()))).toMatchObject({ status: 404 });
  await mute(cast.member, secret);
  await cast.member.api.call(contract.topics.leave, { topicId: secret });
  const rows = () =>
    cast.h.db
      .selectFrom("topic_mutes")
      .select("topic_id")
      .where("user_id", "=", cast.member.userId)
      .execute();
  expect(await rows()).toEqual([{ topic_id: secret }]);
  expect(await unmute(cast.member, secret)).toEqual({ isMuted: false });
  expect(await rows()).toEqual([]);
});

it("a mute goes with the topic and with the account", async () => {
  const gone = await cast.place("public");
  const leaver = await signIn(cast.h);
  await Promise.all([mute(cast.member, gone), mute(leaver)]);
  await cast.owner.api.call(contract.topics.delete, { topicId: gone });
  await leaver.api.call(contract.profile.deleteAccount, {});
  expect(await cast.h.db.selectFrom("topic_mutes").selectAll().execute()).toEqual([]);
});
