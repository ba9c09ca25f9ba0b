import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { NotificationLevel, ThreadLevel } from "@/lib/contract/notification-kinds";
import type { TestUser } from "@/lib/testing/harness";
import { hide } from "../moderation/testing";
import { addTo, type Cast, createCast, makePost, refusalOf, signIn } from "../testing";
import { sendAnnouncements } from "./announce";
import { clearNotifications, makeScene, notificationsOf, say, wrongCounts } from "./testing";

let cast: Cast;
let writer: TestUser;
let watcher: TestUser;
let scene: Awaited<ReturnType<typeof makeScene>>;
beforeAll(async () => {
  cast = await createCast();
  writer = await signIn(cast.h, "writer");
  watcher = await signIn(cast.h, "watcher");
});
afterAll(() => cast.h.close());
beforeEach(async () => {
  scene = await makeScene(cast, writer);
  await addTo(cast.h.db, scene.topicId, watcher);
  await clearNotifications(cast.h.db);
});

const topicLevel = (level: NotificationLevel, by = watcher) =>
  by.api.call(contract.topics.setNotifications, { topicId: scene.topicId, level });
const threadLevel = (level: ThreadLevel, by = watcher, postId = scene.postId) =>
  by.api.call(contract.posts.setNotifications, { postId, level });
const thread = (by = watcher) => by.api.call(contract.reading.thread, { postId: scene.postId });
const readThread = (by = watcher) => by.api.call(contract.reading.readThread, { postId: scene.postId });
const threadsNew = async () =>
  (await watcher.api.call(contract.reading.counts, {})).topics.find(
    ({ topicId }) => topicId === scene.topicId,
  )?.threads ?? 0;
const settings = async (by = watcher) => await by.api.call(contract.notifications.settings, {});
/** Levels that a user chose for threads of this scene. */
const threads = async (by = watcher) =>
  (await settings(by)).threads.filter(({ postId }) => postId === scene.postId);
const waiting = () => cast.h.db.selectFrom("announcements").selectAll().execute();

/** What a user was told, latest first, once everybody was. */
async function told(user = watcher) {
  await cast.h.services.idle();
  return (await notificationsOf(user)).map(({ kind, commentId, postId }) => ({ kind, commentId, postId }));
}
const kindsTold = async (user = watcher) => (await told(user)).map(({ kind }) => kind);

describe("who watches a topic", () => {
  it("is told of every new post, besides everything else, and of no comment", async () => {
    expect(await topicLevel("watch")).toEqual({ level: "watch" });
    const post = await makePost(writer, scene.topicId, "News");
    await say(writer, post.id, "A comment.");
    expect(await told()).toEqual([{ kind: "watched_topic", postId: post.id, commentId: null }]);
    const [sent] = await notificationsOf(watcher);
    expect(sent).toMatchObject({ postTitle: "News", actor: { nickname: writer.nickname } });
    const own = await makePost(watcher, scene.topicId);
    await say(writer, own.id, "To you.");
    expect(await kindsTold()).toEqual(["reply", "watched_topic"]);
    expect(await waiting()).toEqual([]);
  });

  it("is told of a post that mentions them once", async () => {
    await topicLevel("watch");
    await makePost(writer, scene.topicId, "T", `<p>@${watcher.nickname}</p>`);
    expect(await kindsTold()).toEqual(["mention"]);
  });

  it("is not told by whom they blocked, where they muted it, once they left, or of what waits for review", async () => {
    await topicLevel("watch");
    await watcher.api.call(contract.users.block, { userId: writer.userId });
    await makePost(writer, scene.topicId);
    expect(await kindsTold()).toEqual([]);
    await watcher.api.call(contract.users.unblock, { userId: writer.userId });
    await watcher.api.call(contract.topics.mute, { topicId: scene.topicId });
    await makePost(writer, scene.topicId);
    expect(await kindsTold()).toEqual([]);
    await watcher.api.call(contract.topics.unmute, { topicId: scene.topicId });
    const words = { topicId: scene.topicId, reviewWords: ["grapefruit"] };
    await cast.owner.api.call(contract.topics.update, words);
    await makePost(writer, scene.topicId, "Grapefruit");
    expect(await kindsTold()).toEqual([]);
    await watcher.api.call(contract.topics.leave, { topicId: scene.topicId });
    await makePost(writer, scene.topicId);
    expect(await kindsTold()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it("sees it with the topic and among the settings until they want less", async () => {
    await topicLevel("watch");
    const { userSettings } = await watcher.api.call(contract.topics.get, { topicId: scene.topicId });
    expect(userSettings).toEqual({ isMuted: false, notifications: "watch" });
    const listed = async () =>
      (await settings()).topics.filter(({ topicId }) => topicId === scene.topicId).map(({ level }) => level);
    expect(await listed()).toEqual(["watch"]);
    await topicLevel("all");
    expect(await listed()).toEqual([]);
    await makePost(writer, scene.topicId);
    expect(await kindsTold()).toEqual([]);
  });
});

describe("who watches a thread", () => {
  it("is told of every comment by others, and once of those that concern them anyway", async () => {
    expect(await threadLevel("watch")).toEqual({ level: "watch" });
    const first = await say(writer, scene.postId, "One.");
    expect(await told()).toEqual([
      { kind: "watched_thread", postId: scene.postId, commentId: first.comment.id },
    ]);
    const own = await say(watcher, scene.postId, "Mine.");
    await say(writer, scene.postId, "To you.", own.comment.id);
    await say(writer, scene.postId, `@${watcher.nickname}`);
    expect(await kindsTold()).toEqual(["mention", "reply", "watched_thread"]);
    await threadLevel("watch", cast.member);
    await say(writer, scene.postId, "To the author.");
    expect((await kindsTold(cast.member))[0]).toBe("reply");
    expect(await kindsTold(cast.member)).not.toContain("watched_thread");
  });

  it("has it counted from then on without having opened it", async () => {
    await say(writer, scene.postId, "Before.");
    await threadLevel("watch");
    expect(await threadsNew()).toBe(0);
    await say(writer, scene.postId, "After.");
    expect(await threadsNew()).toBe(1);
    expect(await thread()).toMatchObject({ level: "watch", new: 1 });
  });

  it("is told by the next round of what a crash left, unless it was hidden meanwhile", async () => {
    await threadLevel("watch");
    await cast.h.services.idle();
    const [kept, hidden] = [
      await say(writer, scene.postId, "Kept."),
      await say(writer, scene.postId, "Hidden."),
    ];
    await cast.h.services.idle();
    await clearNotifications(cast.h.db);
    for (const { comment } of [kept, hidden]) {
      await cast.h.db
        .insertInto("announcements")
        .values({ post_id: scene.postId, comment_id: comment.id, told_up_to: "", created_at: new Date() })
        .execute();
    }
    await hide(cast.admin, "comment", { ...scene, commentId: hidden.comment.id });
    await Promise.all(Array.from({ length: 8 }, () => sendAnnouncements(cast.h.services)));
    expect(await told()).toEqual([
      { kind: "watched_thread", postId: scene.postId, commentId: kept.comment.id },
    ]);
    expect(await waiting()).toEqual([]);
  });

  it("loses it with the membership", async () => {
    await threadLevel("watch");
    await watcher.api.call(contract.topics.leave, { topicId: scene.topicId });
    await addTo(cast.h.db, scene.topicId, watcher);
    expect(await thread()).toMatchObject({ level: "follow", readAt: null });
  });
});

describe("who wants less of a thread", () => {
  it("normal: nothing is counted, and replies and mentions arrive", async () => {
    await readThread();
    await threadLevel("normal");
    const own = await say(watcher, scene.postId, "Mine.");
    await readThread();
    await say(writer, scene.postId, "Anything.");
    await say(writer, scene.postId, "To you.", own.comment.id);
    await say(writer, scene.postId, `@${watcher.nickname}`);
    expect(await threadsNew()).toBe(0);
    expect(await thread()).toMatchObject({ level: "normal", readAt: null, new: 0 });
    expect(await kindsTold()).toEqual(["mention", "reply"]);
  });

  it("mute: nothing arrives but decisions, and other threads are as before", async () => {
    await readThread();
    const own = await say(watcher, scene.postId, "Mine.");
    await threadLevel("mute");
    await say(writer, scene.postId, "To you.", own.comment.id);
    await say(writer, scene.postId, `@${watcher.nickname}`);
    expect(await kindsTold()).toEqual([]);
    expect(await threadsNew()).toBe(0);
    const other = await makePost(writer, scene.topicId);
    await say(writer, other.id, `@${watcher.nickname}`);
    await hide(cast.admin, "comment", { ...scene, commentId: own.comment.id });
    expect(await kindsTold()).toEqual(["comment_hidden", "mention"]);
  });

  it("follow: is as at first, and counts from then on", async () => {
    await threadLevel("mute");
    await say(writer, scene.postId, "Unheard.");
    await threadLevel("follow");
    expect(await threadsNew()).toBe(0);
    await say(writer, scene.postId, "Heard.");
    expect(await threadsNew()).toBe(1);
    expect(await kindsTold()).toEqual([]);
    expect(await threads()).toEqual([]);
  });

  it("is listed for its user only, without what they may no longer read", async () => {
    await threadLevel("mute");
    expect(await threads()).toEqual([{ postId: scene.postId, title: "Title", level: "mute" }]);
    expect(await threads(writer)).toEqual([]);
    await hide(cast.admin, "post", scene);
    expect(await threads()).toEqual([]);
  });

  it("marks and levels set at once end without a mark", async () => {
    const acts = Array.from({ length: 24 }, (_, i) => (i % 2 ? threadLevel("mute") : readThread()));
    await Promise.all(acts);
    expect(await thread()).toMatchObject({ level: "mute", readAt: null });
  });
});

it("many watchers are told in rounds, each exactly once, by processes at the same time", async () => {
  const { db } = cast.h;
  await sql`insert into users (id, nickname, nickname_key, created_at)
    select 'w' || n, 'crowd_' || n, 'crowd_' || n, now() from generate_series(1, 450) n`.execute(db);
  await sql`insert into memberships (topic_id, user_id, role, joined_at)
    select ${scene.topicId}, 'w' || n, 'member', now() from generate_series(1, 450) n`.execute(db);
  await sql`insert into topic_notification_levels (topic_id, user_id, level, created_at)
    select ${scene.topicId}, 'w' || n, 'watch', now() from generate_series(1, 450) n`.execute(db);
  const post = await makePost(writer, scene.topicId);
  await Promise.all(Array.from({ length: 6 }, () => sendAnnouncements(cast.h.services)));
  await cast.h.services.idle();
  const { rows } = await sql<{ users: number; rows: number }>`
    select count(distinct user_id)::int as users, count(*)::int as rows from notifications
    where post_id = ${post.id} and kind = 'watched_topic'`.execute(db);
  expect(rows).toEqual([{ users: 450, rows: 450 }]);
  expect(await wrongCounts(db)).toEqual([]);
});

it("400 for a level that is none, 404 where the post is not to be seen", async () => {
  const wrong = cast.h.send("PUT", `/api/posts/${scene.postId}/notifications`, {
    token: watcher.token,
    body: { level: "loud" },
  });
  expect(await wrong).toMatchObject({ status: 400, body: { field: "level" } });
  const stranger = await signIn(cast.h, "stranger");
  expect(await refusalOf(threadLevel("watch", stranger))).toMatchObject({ code: "not_a_member" });
  const nowhere = "00000000-0000-4000-8000-000000000000";
  expect(await refusalOf(threadLevel("watch", watcher, nowhere))).toMatchObject({ code: "post_not_found" });
});
