import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import { createHarness, type Harness } from "@/lib/testing/harness";
import {
  createComment,
  createPost,
  createTopic,
  deleteAccount,
  deleteTopic,
  joinTopic,
  readNotifications,
  reportPost,
  updateComment,
} from "../index";
import { freshName, general } from "../testing";
import { listNotifications } from "./list";
import { wrongCounts } from "./testing";

/** A hundred notifying actions at once: counters equal rows, positions have no gaps, nothing deadlocks. */
const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "notification_races"))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races", () => {
    let database: OpenDatabase;
    let h: Harness;
    let owner: MemberContext;
    let crowd: readonly MemberContext[];
    let topicId: string;
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      h = await createHarness({ database });
      const people = crowdOf(database);
      owner = await people.newUser();
      crowd = await people.newUsers(parallel);
      topicId = await newTopic();
    });
    afterAll(() => h.close());

    async function newTopic() {
      const { topic } = await createTopic(owner, { title: "T", categoryId: general, visibility: "public" });
      await Promise.all(crowd.map((user) => joinTopic(user, { topicId: topic.id })));
      return topic.id;
    }
    const newPost = async (author: MemberContext, topic = topicId) =>
      (await createPost(author, { topicId: topic, title: "P", content: "c" })).post.id;
    const say = (user: MemberContext, postId: string, content = "c") =>
      createComment(user, { postId, content });
    const inbox = (user: MemberContext) =>
      listNotifications(user, { unread: "false", limit: 100, cursor: undefined });

    race("a hundred comments on one post while its author reads", rounds, async () => {
      const reader = await crowdOf(database).newUser();
      await joinTopic(reader, { topicId });
      const postId = await newPost(reader);
      const calls = crowd.map(async (user, index) => {
        await say(user, postId);
        if (index % 4 !== 0) return;
        const { notifications } = await inbox(reader);
        await readNotifications(reader, { ids: notifications.slice(0, 3).map(({ id }) => id) });
        await readNotifications(reader, { upTo: notifications.at(-1)?.id });
      });
      expect(await outcomes(calls)).toEqual({ done: parallel });
      expect(await wrongCounts(database.db)).toEqual([]);
      const rows = await database.db
        .selectFrom("notifications")
        .select(["position", "read_at"])
        .where("user_id", "=", reader.caller.userId)
        .orderBy("position")
        .execute();
      expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
      expect(rows).toHaveLength(parallel);
      expect(rows.some(({ read_at }) => read_at)).toBe(true);
    });

    race("everybody names ten others, under different posts, at once", rounds, async () => {
      const posts = await Promise.all(crowd.slice(0, 10).map((author) => newPost(author)));
      const nameOthers = (index: number) =>
        Array.from(
          { length: 10 },
          (_, n) => `@${crowd[(index * 7 + n * 13) % parallel]?.caller.nickname}`,
        ).join(" ");
      const calls = crowd.map(async (user, index) => {
        const { comment } = await say(user, posts[index % 10] ?? "", nameOthers(index));
        await updateComment(user, { commentId: comment.id, content: nameOthers(index + 1) });
      });
      expect(await outcomes(calls)).toEqual({ done: parallel });
      expect(await wrongCounts(database.db)).toEqual([]);
    });

    race("people withdraw while others name and answer them, and they others", rounds, async () => {
      const users = await Promise.all(
        Array.from({ length: 12 }, async () => h.memberContext((await h.login(freshName("leaver"))).token)),
      );
      await Promise.all(users.map((user) => joinTopic(user, { topicId })));
      const names = users.map(({ caller }) => `@${caller.nickname}`).join(" ");
      const posts = await Promise.all(users.map((user) => newPost(user)));
      const calls = users.flatMap((user, index) => [
        ...crowd.slice(0, 5).map((one) => say(one, posts[index] ?? "", names)),
        say(user, posts[(index + 1) % posts.length] ?? "", names),
        deleteAccount(user),
      ]);
      const { done, ...others } = await outcomes(calls);
      expect(done).toBeGreaterThanOrEqual(users.length * 6);
      // A user who withdrew before their own comment was written is no longer a member.
      for (const name of Object.keys(others)) expect(["not_a_member"]).toContain(name);
      expect(await wrongCounts(database.db)).toEqual([]);
      const ids = users.map(({ caller }) => caller.userId);
      for (const table of ["inboxes", "notifications", "mentions"] as const) {
        const left = await database.db
          .selectFrom(table)
          .select("user_id")
          .where("user_id", "in", ids)
          .execute();
        expect(left, table).toEqual([]);
      }
    });

    race("a topic is deleted while people are told of it, and read", rounds, async () => {
      const doomed = await newTopic();
      const author = crowd[0] ?? expect.fail();
      const postId = await newPost(author, doomed);
      const calls = crowd.slice(1, 40).map(async (user, index) => {
        await say(user, postId, `@${crowd[(index + 50) % parallel]?.caller.nickname}`);
        const { notifications } = await inbox(author);
        await readNotifications(author, { upTo: notifications[0]?.id });
      });
      const { done, ...others } = await outcomes([...calls, deleteTopic(owner, { topicId: doomed })]);
      expect(done).toBeGreaterThan(0);
      for (const name of Object.keys(others)) expect(["post_not_found", "topic_not_found"]).toContain(name);
      expect(await wrongCounts(database.db)).toEqual([]);
      const left = database.db.selectFrom("notifications").select("id").where("topic_id", "=", doomed);
      expect(await left.execute()).toEqual([]);
    });

    race("a hundred reports of one post are one notification", rounds, async () => {
      const postId = await newPost(crowd[0] ?? owner);
      const calls = crowd.map((user) => reportPost(user, { postId, reason: "spam" }));
      expect(await outcomes(calls)).toEqual({ done: parallel });
      const told = database.db
        .selectFrom("notifications")
        .select("user_id")
        .where("post_id", "=", postId)
        .where("kind", "=", "report_opened");
      expect(await told.execute()).toEqual([{ user_id: owner.caller.userId }]);
      expect(await wrongCounts(database.db)).toEqual([]);
    });
  });
});
