import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { decisionKinds, notificationKinds } from "@/lib/contract/notification-kinds";
import type { TestUser } from "@/lib/testing/harness";
import { hide } from "../moderation/testing";
import { type Cast, createCast, refusalOf, signIn } from "../testing";
import { clearNotifications, makeScene, notificationsOf, say } from "./testing";

let cast: Cast;
/** Who acts; the cast's member is notified. */
let other: TestUser;
let scene: Awaited<ReturnType<typeof makeScene>>;
beforeAll(async () => {
  cast = await createCast();
  other = await signIn(cast.h, "other");
  scene = await makeScene(cast, other, "public");
  const { id: session_id } = await cast.h.db
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", cast.member.userId)
    .executeTakeFirstOrThrow();
  const keys = { endpoint: "https://push.example/member", p256dh: "", auth: "", label: "" };
  await cast.h.db
    .insertInto("push_subscriptions")
    .values({ user_id: cast.member.userId, session_id, created_at: new Date(), ...keys })
    .execute();
});
afterAll(() => cast.h.close());
beforeEach(async () => {
  await set({ kinds: [...notificationKinds], inApp: true, push: true });
  await level("all");
  await clearNotifications(cast.h.db);
});

const set = (input: Parameters<typeof change>[1]) => change(cast.member, input);
const change = (
  { api }: TestUser,
  input: { kinds: (typeof notificationKinds)[number][]; inApp?: boolean; push?: boolean },
) => api.call(contract.notifications.setKinds, input);
const level = (to: "all" | "mentions" | "none", by = cast.member) =>
  by.api.call(contract.topics.setNotifications, { topicId: scene.topicId, level: to });
const settings = (by = cast.member) => by.api.call(contract.notifications.settings, {});

/** Replies to the member and mentions them, in a comment and in the chat. */
async function address() {
  await say(other, scene.postId, "Hm.");
  await say(other, (await topicPost()).id, `@${cast.member.nickname}`);
  const message = `@${cast.member.nickname}`;
  await other.api.call(contract.chat.send, { topicId: scene.topicId, message });
}
const topicPost = async () =>
  (
    await cast.owner.api.call(contract.posts.create, {
      topicId: scene.topicId,
      title: "T",
      content: "<p>c</p>",
    })
  ).post;

/** Kinds of the member's notifications, and of those among them that are pushed, latest first. */
async function arrived() {
  const notifications = await notificationsOf(cast.member);
  const rows = await cast.h.db.selectFrom("push_deliveries").select("notification_id").execute();
  const waiting = new Set(rows.map((row) => row.notification_id));
  return {
    inApp: notifications.map(({ kind }) => kind),
    push: notifications.filter(({ id }) => waiting.has(id)).map(({ kind }) => kind),
  };
}
const conversation = ["chat_mention", "mention", "reply"];

describe("settings by kind", () => {
  it("are on for everyone who set nothing", async () => {
    const { kinds, topics } = await settings(other);
    expect(topics).toEqual([]);
    // Reports at the desk reach only those with a role (desk/told.api.test.ts).
    const reaching = notificationKinds.filter((kind) => kind !== "desk_report_opened");
    expect(kinds.map(({ kind }) => kind)).toEqual(reaching);
    expect(kinds.filter(({ inApp, push }) => !inApp || !push)).toEqual([]);
    const required = kinds.filter(({ isRequired }) => isRequired).map(({ kind }) => kind);
    expect(required).toEqual(decisionKinds);
    await address();
    expect(await arrived()).toEqual({ inApp: conversation, push: conversation });
  });

  it("turn off one kind, in the app and so by push; the others arrive", async () => {
    const { kinds } = await set({ kinds: ["reply"], inApp: false });
    expect(kinds.find(({ kind }) => kind === "reply")).toMatchObject({ inApp: false, push: true });
    await address();
    expect(await arrived()).toEqual({
      inApp: ["chat_mention", "mention"],
      push: ["chat_mention", "mention"],
    });
  });

  it("turn off push for some kinds, which stay in the app", async () => {
    await set({ kinds: ["reply", "mention", "reply"], push: false });
    await address();
    expect(await arrived()).toEqual({ inApp: conversation, push: ["chat_mention"] });
    // What is left out stays.
    await set({ kinds: ["reply"], inApp: false });
    const { kinds } = await set({ kinds: ["reply"], inApp: true });
    expect(kinds.find(({ kind }) => kind === "reply")).toMatchObject({ inApp: true, push: false });
  });

  it("keep decisions about the reader in the app", async () => {
    expect(await refusalOf(set({ kinds: ["reply", "member_banned"], inApp: false }))).toMatchObject({
      status: 400,
      field: "inApp",
    });
    expect(await refusalOf(set({ kinds: ["reply"] }))).toMatchObject({ status: 400, field: "inApp" });
    await set({ kinds: ["post_hidden"], push: false });
    await hide(cast.admin, "post", scene);
    expect(await arrived()).toEqual({ inApp: ["post_hidden"], push: [] });
    await hide(cast.admin, "post", scene, false);
  });

  it("concern their user only", async () => {
    await set({ kinds: ["mention"], inApp: false });
    await say(other, scene.postId, `@${cast.admin.nickname} @${cast.member.nickname}`);
    expect((await notificationsOf(cast.admin)).map(({ kind }) => kind)).toEqual(["mention"]);
  });
});

describe("settings by topic", () => {
  it("mentions only", async () => {
    expect(await level("mentions")).toEqual({ level: "mentions" });
    await address();
    const both = ["chat_mention", "mention"];
    expect(await arrived()).toEqual({ inApp: both, push: both });
    expect((await settings()).topics).toEqual([
      { topicId: scene.topicId, title: "A topic", isMuted: false, level: "mentions" },
    ]);
  });

  it("none, but for decisions, which are not pushed", async () => {
    await level("none");
    await address();
    await hide(cast.admin, "post", scene);
    expect(await arrived()).toEqual({ inApp: ["post_hidden"], push: [] });
    await hide(cast.admin, "post", scene, false);
  });

  it("are shown with the topic, and listed with muted ones until they are all again", async () => {
    await level("none");
    await cast.member.api.call(contract.topics.mute, { topicId: scene.topicId });
    const topic = () => cast.member.api.call(contract.topics.get, { topicId: scene.topicId });
    expect((await topic()).userSettings).toEqual({ isMuted: true, notifications: "none" });
    expect((await settings()).topics).toMatchObject([{ isMuted: true, level: "none" }]);
    await level("all");
    expect((await settings()).topics).toMatchObject([{ isMuted: true, level: "all" }]);
    await cast.member.api.call(contract.topics.unmute, { topicId: scene.topicId });
    expect((await settings()).topics).toEqual([]);
  });

  it("do not list a topic that its reader may no longer read", async () => {
    const secret = await cast.place("secret");
    const call = { topicId: secret, level: "none" } as const;
    await cast.member.api.call(contract.topics.setNotifications, call);
    expect((await settings()).topics).toHaveLength(1);
    await cast.member.api.call(contract.topics.leave, { topicId: secret });
    expect((await settings()).topics).toEqual([]);
    expect(await refusalOf(cast.member.api.call(contract.topics.setNotifications, call))).toMatchObject({
      status: 403,
      code: "not_a_member",
    });
  });
});

it("concurrent changes of the same kinds in different orders all succeed", async () => {
  const kinds = ["reply", "mention", "chat_mention"] as const;
  const changes = Array.from({ length: 12 }, (_, i) =>
    set({ kinds: i % 2 ? [...kinds] : kinds.toReversed(), push: i % 3 === 0 }),
  );
  for (const outcome of await Promise.allSettled(changes)) expect(outcome.status).toBe("fulfilled");
});

it("a reply that mentions its reader arrives as a mention where replies do not", async () => {
  const reply = async () => {
    await clearNotifications(cast.h.db);
    await say(other, scene.postId, `Well, @${cast.member.nickname}.`, scene.commentId);
    return (await arrived()).inApp;
  };
  expect(await reply()).toEqual(["reply"]);
  await level("mentions");
  expect(await reply()).toEqual(["mention"]);
  await level("all");
  await set({ kinds: ["reply"], inApp: false });
  expect(await reply()).toEqual(["mention"]);
});
