import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import type { TestUser } from "@/lib/testing/harness";
import { type Cast, createCast, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { forgetOldThreads } from "./mark";

let cast: Cast;
let owner: TestUser;
let reader: TestUser;
beforeAll(async () => {
  cast = await createCast();
  owner = cast.owner;
  reader = await signIn(cast.h, "reader");
});
afterAll(() => cast.h.close());

const { reading } = contract;
const join = (user: TestUser, topicId: string) => user.api.call(contract.topics.join, { topicId });
const say = async (user: TestUser, topicId: string, message = "Words.") =>
  (await user.api.call(contract.chat.send, { topicId, message })).message.id;
const comment = async (user: TestUser, postId: string, content = "Words.") =>
  (await user.api.call(contract.comments.create, { postId, content })).comment.id;
const state = (topicId: string, user = reader) => user.api.call(reading.topic, { topicId });
const threadOf = (postId: string, user = reader) => user.api.call(reading.thread, { postId });
/** What is new in one topic for a user, as the list of all their topics has it. */
async function countsOf(topicId: string, user = reader) {
  const { topics } = await user.api.call(reading.counts, {});
  const { posts, chat, threads } = topics.find((one) => one.topicId === topicId) ?? {
    posts: 0,
    chat: 0,
    threads: 0,
  };
  return { posts, chat, threads };
}
const nothing = { posts: 0, chat: 0, threads: 0 };

/** A topic with a post and a message of before the reader joined. */
async function place() {
  const { id: topicId } = await makeTopic(owner);
  const old = { post: (await makePost(owner, topicId, "old")).id, message: await say(owner, topicId, "old") };
  await join(reader, topicId);
  return { topicId, old };
}

describe("posts and chat of a topic", () => {
  it("are new from joining on, and counted once they are there", async () => {
    const { topicId, old } = await place();
    expect(await countsOf(topicId)).toEqual(nothing);
    const posts = [(await makePost(owner, topicId)).id, (await makePost(owner, topicId)).id];
    const messages = [await say(owner, topicId), await say(owner, topicId), await say(owner, topicId)];
    expect(await countsOf(topicId)).toEqual({ posts: 2, chat: 3, threads: 0 });
    expect(await state(topicId)).toMatchObject({
      posts: { new: 2, first: posts[0], last: posts[1] },
      chat: { new: 3, first: messages[0], last: messages[2] },
    });
    expect(await state(topicId, owner)).toEqual({
      readAt: null,
      posts: { new: 0, first: null, last: posts[1] },
      chat: { new: 0, first: null, last: messages[2] },
    });
    expect(posts).not.toContain(old.post);
  });

  it("are read up to an item, forward only, each for itself", async () => {
    const { topicId, old } = await place();
    const posts = [
      await makePost(owner, topicId),
      await makePost(owner, topicId),
      await makePost(owner, topicId),
    ];
    const messages = [await say(owner, topicId), await say(owner, topicId)];
    const [, second, third] = posts.map(({ id }) => id);
    const read = (body: object) => reader.api.call(reading.readTopic, { topicId, ...body });
    expect(await read({ postId: second })).toMatchObject({
      posts: { new: 1, first: third },
      chat: { new: 2 },
    });
    // Another device, which was not as far.
    expect(await read({ postId: old.post })).toMatchObject({ posts: { new: 1 }, chat: { new: 2 } });
    expect(await read({ messageId: messages[0] })).toMatchObject({
      posts: { new: 1 },
      chat: { new: 1, first: messages[1] },
    });
    const all = await read({});
    expect(all).toMatchObject({ posts: { new: 0, first: null, last: third }, chat: { new: 0, first: null } });
    expect(Date.parse(all.readAt ?? "")).toBeGreaterThan(Date.now() - 60_000);
    expect(await countsOf(topicId)).toEqual(nothing);
  });

  it("are unread again from an item on; what was unread before stays so", async () => {
    const { topicId, old } = await place();
    const posts = [
      await makePost(owner, topicId),
      await makePost(owner, topicId),
      await makePost(owner, topicId),
    ];
    const messages = [await say(owner, topicId), await say(owner, topicId)];
    const [first, second, third] = posts.map(({ id }) => id);
    await reader.api.call(reading.readTopic, { topicId });
    const unread = (body: object) => reader.api.call(reading.unreadTopic, { topicId, ...body });
    expect(await unread({ postId: second })).toMatchObject({
      posts: { new: 2, first: second },
      chat: { new: 0 },
    });
    expect(await unread({ postId: third, messageId: messages[1] })).toMatchObject({
      posts: { new: 2, first: second },
      chat: { new: 1, first: messages[1] },
    });
    expect(await unread({ postId: first, messageId: messages[0] })).toMatchObject({
      posts: { new: 3 },
      chat: { new: 2 },
    });
    // Also what is older than the membership.
    expect(await unread({ postId: old.post })).toMatchObject({ posts: { new: 4, first: old.post } });
    expect(await refusalOf(unread({}))).toMatchObject({ status: 400 });
  });

  it("leave out what is deleted, hidden, one's own, or by someone one blocked", async () => {
    const { topicId } = await place();
    const blocked = await signIn(cast.h, "blocked");
    await join(blocked, topicId);
    await join(cast.member, topicId);
    await reader.api.call(contract.users.block, { userId: blocked.userId });
    const gone = await makePost(owner, topicId);
    const hidden = await makePost(cast.member, topicId);
    await makePost(blocked, topicId);
    await makePost(reader, topicId);
    const goneMessage = await say(owner, topicId);
    const hiddenMessage = await say(cast.member, topicId);
    await say(blocked, topicId);
    await say(reader, topicId);
    expect(await countsOf(topicId)).toEqual({ posts: 2, chat: 2, threads: 0 });
    await owner.api.call(contract.posts.delete, { postId: gone.id });
    await owner.api.call(contract.chat.delete, { messageId: goneMessage });
    expect(await countsOf(topicId)).toEqual({ posts: 1, chat: 1, threads: 0 });
    await owner.api.call(contract.moderation.hidePost, { postId: hidden.id, hidden: true });
    await owner.api.call(contract.moderation.hideMessage, { messageId: hiddenMessage, hidden: true });
    expect(await countsOf(topicId)).toEqual(nothing);
    expect(await state(topicId)).toMatchObject({
      posts: { new: 0, first: null },
      chat: { new: 0, first: null },
    });
    await owner.api.call(contract.moderation.hidePost, { postId: hidden.id, hidden: false });
    expect(await countsOf(topicId)).toEqual({ posts: 1, chat: 0, threads: 0 });
    // Staff see what people they blocked wrote.
    await owner.api.call(contract.users.block, { userId: blocked.userId });
    expect((await countsOf(topicId, owner)).posts).toBe(3);
    expect((await state(topicId, owner)).posts.new).toBe(3);
  });

  it("count no joins, edits or reactions in the chat", async () => {
    const { topicId } = await place();
    const messageId = await say(owner, topicId);
    await reader.api.call(reading.readTopic, { topicId });
    await join(cast.member, topicId);
    await owner.api.call(contract.chat.update, { messageId, message: "Other words." });
    await owner.api.call(contract.chat.react, { messageId, emoji: "🔥", reacted: true });
    expect(await countsOf(topicId)).toEqual(nothing);
  });

  it("stop at a hundred", async () => {
    const { topicId } = await place();
    const { most } = LIMITS.unread;
    const now = new Date();
    await cast.h.db
      .insertInto("chat_messages")
      .values(
        Array.from({ length: most + 5 }, (_, n) => ({
          ...{ topic_id: topicId, position: 100 + n, user_id: owner.userId, type: "message" as const },
          ...{ message: "m", created_at: now },
        })),
      )
      .execute();
    await cast.h.db
      .updateTable("chat_rooms")
      .set({ last_position: 99 + most + 5 })
      .where("topic_id", "=", topicId)
      .execute();
    await makePost(owner, topicId);
    const { topics, totals } = await reader.api.call(reading.counts, {});
    expect(topics.find((one) => one.topicId === topicId)).toMatchObject({ posts: 1, chat: most });
    expect(totals.chat).toBe(most);
    expect((await state(topicId)).chat.new).toBe(most);
  });

  it("name only items of the topic", async () => {
    const { topicId, old } = await place();
    const other = await place();
    for (const op of [reading.readTopic, reading.unreadTopic]) {
      const call = (body: object) => refusalOf(reader.api.call(op, { topicId, ...body }));
      expect(await call({ postId: other.old.post })).toEqual({
        ...{ status: 404, code: "post_not_found", field: "postId" },
      });
      expect(await call({ postId: old.post, messageId: other.old.message })).toMatchObject({
        code: "message_not_found",
        field: "messageId",
      });
      expect(await call({ postId: randomUUID() })).toMatchObject({ status: 404 });
    }
  });
});

describe("comments of a thread", () => {
  it("are new once the reader opened it, and count as one thread", async () => {
    const { topicId, old } = await place();
    await comment(owner, old.post);
    expect(await countsOf(topicId)).toEqual(nothing);
    expect(await threadOf(old.post)).toMatchObject({ readAt: null, new: 0, first: null });
    await reader.api.call(reading.readThread, { postId: old.post });
    expect(await countsOf(topicId)).toEqual(nothing);
    const second = await comment(owner, old.post);
    const third = await comment(owner, old.post);
    expect(await countsOf(topicId)).toEqual({ posts: 0, chat: 0, threads: 1 });
    expect(await threadOf(old.post)).toMatchObject({ new: 2, first: second, last: third });
    const read = (commentId?: string) => reader.api.call(reading.readThread, { postId: old.post, commentId });
    expect(await read(second)).toMatchObject({ new: 1, first: third });
    expect(await read()).toMatchObject({ new: 0, first: null, last: third });
    expect(await countsOf(topicId)).toEqual(nothing);
    const unread = await reader.api.call(reading.unreadThread, { postId: old.post, commentId: second });
    expect(unread).toMatchObject({ new: 2, first: second });
    expect((await countsOf(topicId)).threads).toBe(1);
    expect(await refusalOf(read(randomUUID()))).toEqual({
      ...{ status: 404, code: "comment_not_found", field: "commentId" },
    });
  });

  it("a post without comments is opened with null, and what was written meanwhile is new", async () => {
    const { topicId, old } = await place();
    const first = await comment(owner, old.post);
    const opened = await reader.api.call(reading.readThread, { postId: old.post, commentId: null });
    expect(opened).toMatchObject({ new: 1, first });
    expect((await countsOf(topicId)).threads).toBe(1);
  });

  it("leave out the same, and threads whose post is gone", async () => {
    const { topicId, old } = await place();
    const blocked = await signIn(cast.h, "blocked");
    await join(blocked, topicId);
    await reader.api.call(contract.users.block, { userId: blocked.userId });
    await reader.api.call(reading.readThread, { postId: old.post });
    await comment(reader, old.post);
    await comment(blocked, old.post);
    const hidden = await comment(owner, old.post);
    await owner.api.call(contract.moderation.hideComment, { commentId: hidden, hidden: true });
    const gone = await comment(owner, old.post);
    expect(await countsOf(topicId)).toEqual({ ...nothing, threads: 1 });
    await owner.api.call(contract.comments.delete, { commentId: gone });
    expect(await countsOf(topicId)).toEqual(nothing);
    expect(await threadOf(old.post)).toMatchObject({ new: 0, first: null });
    await comment(owner, old.post);
    expect((await countsOf(topicId)).threads).toBe(1);
    await owner.api.call(contract.moderation.hidePost, { postId: old.post, hidden: true });
    expect(await countsOf(topicId)).toEqual(nothing);
  });

  it("are forgotten when the reader did not open it for long", async () => {
    const { topicId, old } = await place();
    await reader.api.call(reading.readThread, { postId: old.post });
    await comment(owner, old.post);
    const days = (n: number) => new Date(Date.now() + n * 24 * 60 * 60 * 1000);
    await forgetOldThreads(cast.h.db, days(LIMITS.unread.threadDays - 1));
    expect((await countsOf(topicId)).threads).toBe(1);
    await forgetOldThreads(cast.h.db, days(LIMITS.unread.threadDays + 1));
    expect(await threadOf(old.post)).toMatchObject({ readAt: null, new: 0 });
  });
});

describe("whose state it is", () => {
  it("muted topics are listed, and not part of the totals", async () => {
    const user = await signIn(cast.h, "muter");
    const [loud, quiet] = [await makeTopic(owner), await makeTopic(owner)];
    for (const { id } of [loud, quiet]) {
      await join(user, id);
      await makePost(owner, id);
      await say(owner, id);
    }
    await makePost(owner, quiet.id);
    await user.api.call(contract.topics.mute, { topicId: quiet.id });
    expect(await user.api.call(reading.counts, {})).toEqual({
      topics: [
        { topicId: quiet.id, isMuted: true, posts: 2, chat: 1, threads: 0 },
        { topicId: loud.id, isMuted: false, posts: 1, chat: 1, threads: 0 },
      ],
      totals: { posts: 1, chat: 1, threads: 0 },
    });
  });

  it("leaving takes it along; joining again begins anew", async () => {
    const { topicId, old } = await place();
    await makePost(owner, topicId);
    await reader.api.call(reading.readThread, { postId: old.post });
    await comment(owner, old.post);
    await reader.api.call(contract.topics.leave, { topicId });
    expect(await countsOf(topicId)).toEqual(nothing);
    expect(await refusalOf(state(topicId))).toMatchObject({ status: 403, code: "not_a_member" });
    expect(await refusalOf(threadOf(old.post))).toMatchObject({ status: 403, code: "not_a_member" });
    const rows = async () => {
      const own = (table: "topic_reads" | "thread_reads") =>
        cast.h.db.selectFrom(table).select("topic_id").where("topic_id", "=", topicId).execute();
      return [(await own("topic_reads")).length, (await own("thread_reads")).length];
    };
    expect(await rows()).toEqual([0, 0]);
    await join(reader, topicId);
    expect(await countsOf(topicId)).toEqual(nothing);
    expect(await rows()).toEqual([1, 0]);
  });

  it("a member who has to prove again counts nothing of the topic", async () => {
    const { topicId } = await place();
    await makePost(owner, topicId);
    const lapse = (reprove_by: Date) =>
      cast.h.db
        .updateTable("memberships")
        .set({ reprove_by })
        .where("topic_id", "=", topicId)
        .where("user_id", "=", reader.userId)
        .execute();
    await lapse(new Date(Date.now() + 60_000));
    expect((await countsOf(topicId)).posts).toBe(1);
    await lapse(new Date(Date.now() - 60_000));
    expect(await countsOf(topicId)).toEqual(nothing);
  });

  it("a withdrawn account leaves none, and an export has it", async () => {
    const user = await signIn(cast.h, "leaver");
    const { id: topicId } = await makeTopic(owner);
    const post = await makePost(owner, topicId);
    await join(user, topicId);
    await user.api.call(reading.readTopic, { topicId });
    await user.api.call(reading.readThread, { postId: post.id });
    await user.api.call(contract.profile.deleteAccount, {});
    for (const table of ["topic_reads", "thread_reads"] as const) {
      expect(await cast.h.db.selectFrom(table).selectAll().where("topic_id", "=", topicId).execute()).toEqual(
        [],
      );
    }
  });
});
