import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import type { TestUser } from "@/lib/testing/harness";
import { clearNotifications, notificationsOf, say } from "../notifications/testing";
import { addTo, type Cast, createCast, makePost, refusalOf, signIn } from "../testing";

let cast: Cast;
/** Who blocks, and who is blocked; both are plain members of the topic. */
let reader: TestUser;
let troll: TestUser;
let topicId: string;
let postId: string;
beforeAll(async () => {
  cast = await createCast();
  topicId = await cast.place();
  reader = cast.member;
  troll = await signIn(cast.h, "troll");
  await addTo(cast.h.db, topicId, troll);
  postId = (await makePost(troll, topicId, "Folding title", "<p>Folding words.</p>")).id;
});
afterAll(() => cast.h.close());

const block = (by: TestUser, whom: TestUser) => by.api.call(contract.users.block, { userId: whom.userId });
const unblock = (by: TestUser, whom: TestUser) =>
  by.api.call(contract.users.unblock, { userId: whom.userId });
const blockedBy = async (user: TestUser) =>
  (await user.api.call(contract.my.blocks, {})).users.map(({ userId }) => userId);

describe("a block", () => {
  it("is listed, latest first, until it is taken back; both can be repeated", async () => {
    const [first, second] = [await signIn(cast.h), await signIn(cast.h)];
    const by = await signIn(cast.h);
    expect(await block(by, first)).toEqual({ blocked: true });
    expect(await block(by, second)).toEqual({ blocked: true });
    expect(await block(by, first)).toEqual({ blocked: true });
    expect(await by.api.call(contract.my.blocks, {})).toEqual({
      users: [second, first].map(({ userId, nickname }) => ({
        userId,
        nickname,
        profileImage: null,
        blockedAt: expect.any(String),
      })),
    });
    expect(await unblock(by, first)).toEqual({ blocked: false });
    expect(await unblock(by, first)).toEqual({ blocked: false });
    expect(await blockedBy(by)).toEqual([second.userId]);
  });

  it("is of somebody else who exists", async () => {
    expect(await refusalOf(block(reader, reader))).toMatchObject({ status: 400, field: "userId" });
    const unknown = reader.api.call(contract.users.block, { userId: "u_unknown" });
    expect(await refusalOf(unknown)).toMatchObject({ status: 404, code: "user_not_found" });
    const gone = await signIn(cast.h);
    await gone.api.call(contract.profile.deleteAccount, {});
    expect(await refusalOf(block(reader, gone))).toMatchObject({ status: 404, code: "user_not_found" });
  });

  it("has a limit that concurrent blocks do not pass", async () => {
    const by = await signIn(cast.h);
    const people = await Promise.all(Array.from({ length: 5 }, () => signIn(cast.h)));
    await sql`insert into users (id, nickname, nickname_key)
      select 'crowd-' || n, 'crowd', 'crowd-' || n from generate_series(1, ${LIMITS.blocks - 2}::int) n`.execute(
      cast.h.db,
    );
    await sql`insert into blocks (user_id, blocked_id, created_at)
      select ${by.userId}, id, now() from users where id like 'crowd-%'`.execute(cast.h.db);
    const outcomes = await Promise.allSettled(people.map((one) => block(by, one)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    const blocked = await blockedBy(by);
    expect(blocked).toHaveLength(LIMITS.blocks);
    for (const one of people) {
      const call = block(by, one);
      if (blocked.includes(one.userId)) await call;
      else expect(await refusalOf(call)).toMatchObject({ status: 409, code: "too_many_blocks" });
    }
  });

  it("ends when either of the two deletes their account, also at the same moment", async () => {
    const [by, other] = [await signIn(cast.h), await signIn(cast.h)];
    await Promise.all([block(by, other), block(other, by)]);
    await Promise.allSettled([
      block(by, other),
      other.api.call(contract.profile.deleteAccount, {}),
      block(by, other),
    ]);
    expect(await blockedBy(by)).toEqual([]);
    const rows = await sql`select from blocks where ${other.userId} in (user_id, blocked_id)`.execute(
      cast.h.db,
    );
    expect(rows.rows).toHaveLength(0);
  });
});

describe("what a blocked user wrote", () => {
  /** Whether each kind of view of the troll's content is folded for a reader. */
  async function folded(user: TestUser) {
    const one = await user.api.call(contract.posts.get, { postId });
    const listed = await user.api.call(contract.posts.list, { topicId });
    const feed = await user.api.call(contract.feed.list, { sort: "new" });
    const found = await user.api.call(contract.search.all, { q: "folding" });
    const { messages } = await user.api.call(contract.chat.list, { topicId });
    const of = <T extends { isFolded: boolean }>(items: readonly T[], by: (item: T) => string | null) =>
      items.filter((item) => by(item) === troll.userId).map(({ isFolded }) => isFolded);
    return {
      post: one.post.isFolded,
      comments: of(one.comments, ({ authorId }) => authorId),
      listed: of(listed.posts, ({ authorId }) => authorId),
      feed: of(feed.posts, ({ authorId }) => authorId),
      foundPosts: of(found.posts, ({ authorId }) => authorId),
      foundComments: of(found.comments, ({ authorId }) => authorId),
      chat: of(messages, ({ userId }) => userId),
    };
  }
  const all = (isFolded: boolean) => ({
    post: isFolded,
    comments: [isFolded],
    listed: [isFolded],
    feed: [isFolded],
    foundPosts: [isFolded],
    foundComments: [isFolded],
    chat: [isFolded],
  });

  it("folds for the one who blocked them, everywhere, and keeps its text", async () => {
    await say(troll, postId, "Folding comment.");
    await troll.api.call(contract.chat.send, { topicId, message: "Folding message." });
    expect(await folded(reader)).toEqual(all(false));
    await block(reader, troll);
    expect(await folded(reader)).toEqual(all(true));
    const { post, comments } = await reader.api.call(contract.posts.get, { postId });
    expect(post).toMatchObject({ title: "Folding title", content: "<p>Folding words.</p>" });
    expect(comments[0]?.content).toBe("Folding comment.");
    expect(await folded(cast.owner)).toEqual(all(false));
    expect(await folded(troll)).toEqual(all(false));
    await unblock(reader, troll);
    expect(await folded(reader)).toEqual(all(false));
  });

  it("does not fold for the topic's staff, who moderate it", async () => {
    await block(cast.admin, troll);
    expect(await folded(cast.admin)).toEqual(all(false));
    await unblock(cast.admin, troll);
  });

  it("does not say who wrote a deleted comment", async () => {
    const { comment } = await say(troll, postId, "Soon gone.");
    await troll.api.call(contract.comments.delete, { commentId: comment.id });
    await block(reader, troll);
    const { comments } = await reader.api.call(contract.posts.get, { postId });
    expect(comments.find(({ id }) => id === comment.id)).toMatchObject({ authorId: null, isFolded: false });
    await unblock(reader, troll);
  });
});

describe("notifications by a blocked user", () => {
  /** Does everything of a conversation that notifies the reader. */
  async function address() {
    const { id } = await makePost(reader, topicId);
    const { comment } = await say(reader, id, "A comment.");
    await say(troll, id, "To the post");
    await say(troll, id, "To the comment", comment.id);
    await say(troll, postId, `Hello @${reader.nickname}`);
    await troll.api.call(contract.chat.send, { topicId, message: `@${reader.nickname}` });
  }
  const kinds = async (user: TestUser) => (await notificationsOf(user)).map(({ kind }) => kind);

  it("are not delivered, in the app or by push", async () => {
    const { id: session_id } = await cast.h.db
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", reader.userId)
      .executeTakeFirstOrThrow();
    const keys = { endpoint: "https://push.example/reader", p256dh: "", auth: "", label: "" };
    await cast.h.db
      .insertInto("push_subscriptions")
      .values({ user_id: reader.userId, session_id, created_at: new Date(), ...keys })
      .execute();
    const waiting = () => cast.h.db.selectFrom("push_deliveries").select("notification_id").execute();

    await clearNotifications(cast.h.db);
    await address();
    expect(await kinds(reader)).toEqual(["chat_mention", "mention", "reply", "reply"]);
    expect(await waiting()).toHaveLength(4);
    await block(reader, troll);
    // Nor those that wait to be sent. What had arrived stays, without the text.
    expect(await waiting()).toEqual([]);
    expect((await notificationsOf(reader)).map(({ excerpt }) => excerpt)).toEqual([null, null, null, null]);

    await clearNotifications(cast.h.db);
    await address();
    expect(await kinds(reader)).toEqual([]);
    expect(await waiting()).toEqual([]);
    await unblock(reader, troll);
    await address();
    expect(await kinds(reader)).toHaveLength(4);
  });

  it("reach the staff where they have to act", async () => {
    await block(cast.admin, troll);
    await clearNotifications(cast.h.db);
    const { id } = await makePost(reader, topicId);
    await troll.api.call(contract.moderation.reportPost, { postId: id, reason: "spam" });
    expect(await kinds(cast.admin)).toEqual(["report_opened"]);
    const { reports } = await cast.admin.api.call(contract.moderation.reports, { topicId });
    expect(reports).toMatchObject([{ postId: id }]);
    await unblock(cast.admin, troll);
  });

  it("still arrive from everyone else", async () => {
    await block(reader, troll);
    await clearNotifications(cast.h.db);
    await say(cast.owner, postId, `@${reader.nickname}`);
    expect(await kinds(reader)).toEqual(["mention"]);
    await unblock(reader, troll);
  });
});

it("a blocked user reads and is answered the same as before", async () => {
  const seen = async () => {
    const { api } = troll;
    const { comment } = await say(troll, postId, `Hello @${reader.nickname}`);
    await api.call(contract.comments.delete, { commentId: comment.id });
    return {
      mentions: comment.mentions,
      abilities: comment.abilities,
      blocks: await api.call(contract.my.blocks, {}),
      members: await api.call(contract.members.list, { topicId }),
      topic: (await api.call(contract.topics.get, { topicId })).topic.memberCount,
      session: await api.call(contract.auth.session, {}),
      notifications: await notificationsOf(troll),
    };
  };
  const before = await seen();
  await block(reader, troll);
  expect(await seen()).toEqual(before);
  expect(before.mentions).toHaveLength(1);
});
