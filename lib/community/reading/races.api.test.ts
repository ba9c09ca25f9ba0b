import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import { addUpLeftovers } from "../counters";
import {
  countUnread,
  createComment,
  createPost,
  createTopic,
  getThreadReading,
  getTopicReading,
  joinTopic,
  leaveTopic,
  readThread,
  readTopic,
  sendMessage,
  unreadTopic,
} from "../index";
import { general } from "../testing";

const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "reading"))("read marks on $name", ({ name, open, rounds }) => {
  describe.skipIf(!open)("when a hundred do the same thing", () => {
    let database: OpenDatabase;
    let owner: MemberContext;
    let reader: MemberContext;
    let crowd: readonly MemberContext[];
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      const people = crowdOf(database);
      [owner, reader] = [await people.newUser(), await people.newUser()];
      crowd = await people.newUsers(parallel);
    });
    afterAll(() => database.close());

    async function newTopic() {
      const { topic } = await createTopic(owner, { title: "T", categoryId: general, visibility: "public" });
      for (const user of [reader, ...crowd.slice(0, 10)]) await joinTopic(user, { topicId: topic.id });
      return topic.id;
    }
    const writers = (n: number) => crowd[n % 10] ?? expect.fail();
    const newPost = async (topicId: string, user = owner) =>
      (await createPost(user, { topicId, title: "P", content: "c" })).post.id;

    async function numbers(table: "posts" | "comments", parent: "topic_id" | "post_id", id: string) {
      const { rows } = await sql<{ position: number | null }>`select position from ${sql.table(table)}
        where ${sql.ref(parent)} = ${id} order by position`.execute(database.db);
      return rows.map(({ position }) => position);
    }
    const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

    race("posts and comments are numbered without gaps, and all of them are new", rounds, async () => {
      const topicId = await newTopic();
      await Promise.all(upTo(parallel).map((n) => newPost(topicId, writers(n))));
      expect(await numbers("posts", "topic_id", topicId)).toEqual(upTo(parallel));
      expect((await getTopicReading(reader, { topicId })).posts.new).toBe(parallel);
      await readTopic(reader, { topicId });
      const postId = await newPost(topicId);
      await readThread(reader, { postId });
      await Promise.all(upTo(parallel).map((n) => createComment(writers(n), { postId, content: `${n}` })));
      expect(await numbers("comments", "post_id", postId)).toEqual(upTo(parallel));
      expect((await getThreadReading(reader, { postId })).new).toBe(parallel);
      const { topics } = await countUnread(reader, {});
      expect(topics.find((one) => one.topicId === topicId)).toMatchObject({ posts: 1, chat: 0, threads: 1 });
    });

    race("devices that read to different places end at the furthest", rounds, async () => {
      const topicId = await newTopic();
      const posts: string[] = [];
      for (let n = 0; n < 20; n += 1) posts.push(await newPost(topicId));
      const messages: string[] = [];
      for (let n = 0; n < 20; n += 1) {
        messages.push((await sendMessage(owner, { topicId, message: `${n}` })).message.id);
      }
      const calls = upTo(parallel).map((n) =>
        n % 2
          ? readTopic(reader, { topicId, postId: posts[n % 18] })
          : readTopic(reader, { topicId, messageId: messages[n % 18] }),
      );
      expect(await outcomes(calls)).toEqual({ done: parallel });
      expect(await getTopicReading(reader, { topicId })).toMatchObject({
        posts: { new: 2, first: posts[18] },
        chat: { new: 3, first: messages[17] },
      });
      const back = upTo(parallel).map((n) => unreadTopic(reader, { topicId, postId: posts[5 + (n % 10)] }));
      expect(await outcomes(back)).toEqual({ done: parallel });
      expect(await getTopicReading(reader, { topicId })).toMatchObject({
        posts: { new: 15, first: posts[5] },
      });
    });

    race("whoever leaves while their devices read keeps no mark", rounds, async () => {
      const topicId = await newTopic();
      const postId = await newPost(topicId);
      const calls = upTo(parallel).map((n) =>
        n === parallel / 2
          ? leaveTopic(reader, { topicId })
          : n % 2
            ? readTopic(reader, { topicId })
            : readThread(reader, { postId }),
      );
      const { done = 0, not_a_member = 0, ...others } = await outcomes(calls);
      expect([done + not_a_member, others]).toEqual([parallel, {}]);
      for (const table of ["topic_reads", "thread_reads"] as const) {
        const rows = await database.db
          .selectFrom(table)
          .select("topic_id")
          .where("topic_id", "=", topicId)
          .where("user_id", "=", reader.caller.userId)
          .execute();
        expect(rows).toEqual([]);
      }
    });

    race("everything is either read or new, whatever is written while one reads", rounds, async () => {
      const topicId = await newTopic();
      const seen = new Set<string>();
      let writing = true;
      const reads = (async () => {
        while (writing) {
          // As a page does: it shows everything there is, and marks what it knew to be the last before it did.
          const { posts } = await getTopicReading(reader, { topicId });
          const { rows } = await sql<{
            id: string;
          }>`select id from posts where topic_id = ${topicId}`.execute(database.db);
          for (const { id } of rows) seen.add(id);
          if (posts.last) await readTopic(reader, { topicId, postId: posts.last });
        }
      })();
      await Promise.all(upTo(parallel).map((n) => newPost(topicId, writers(n))));
      writing = false;
      await reads;
      const { rows } = await sql<{ id: string }>`select p.id from posts p
        left join topic_reads r on r.topic_id = p.topic_id and r.user_id = ${reader.caller.userId}
        where p.topic_id = ${topicId} and p.position <= coalesce(r.post_position, 0)`.execute(database.db);
      expect(rows.filter(({ id }) => !seen.has(id))).toEqual([]);
      expect((await getTopicReading(reader, { topicId })).posts.new).toBe(parallel - rows.length);
    });

    it("what is committed later is new, although its time is earlier", async () => {
      const topicId = await newTopic();
      const late = await newPost(topicId);
      const early = await newPost(topicId);
      // As if `late` had been written first and committed last.
      await sql`update posts set created_at = created_at + interval '1 minute' where id = ${early}`.execute(
        database.db,
      );
      await sql`update posts set position = 3 - position where topic_id = ${topicId}`.execute(database.db);
      await readTopic(reader, { topicId, postId: early });
      expect((await getTopicReading(reader, { topicId })).posts).toMatchObject({ new: 1, first: late });
      // The list shows `early` above `late`: who has read up to `late` has not seen it.
      await unreadTopic(reader, { topicId, postId: early });
      await readTopic(reader, { topicId, postId: late });
      expect((await getTopicReading(reader, { topicId })).posts).toMatchObject({ new: 2, first: early });
    });

    it.skipIf(name === "PGlite")(
      "what a process left without a number, or the previous release wrote, gets one",
      async () => {
        const topicId = await newTopic();
        const postId = await newPost(topicId);
        await createComment(owner, { postId, content: "c" });
        await readTopic(reader, { topicId });
        await readThread(reader, { postId });
        const left = await newPost(topicId);
        const { comment } = await createComment(owner, { postId, content: "d" });
        await sql`update posts set position = null where id = ${left}`.execute(database.db);
        await sql`update topics set post_position = 1 where id = ${topicId}`.execute(database.db);
        await sql`update comments set position = null where id = ${comment.id}`.execute(database.db);
        await sql`update posts set comment_position = 1 where id = ${postId}`.execute(database.db);
        expect((await getTopicReading(reader, { topicId })).posts.new).toBe(0);
        // Someone has the row meanwhile.
        let free = () => {};
        const freed = new Promise<void>((resolve) => {
          free = resolve;
        });
        let held: Promise<void> | undefined;
        await new Promise<void>((locked) => {
          held = database.db.transaction().execute(async (trx) => {
            await sql`select from topics where id = ${topicId} for update`.execute(trx);
            locked();
            await freed;
          });
        });
        const numbering = addUpLeftovers(database.db);
        await pause(50);
        free();
        await Promise.all([held, numbering]);
        expect((await getTopicReading(reader, { topicId })).posts).toMatchObject({ new: 1, first: left });
        expect(await getThreadReading(reader, { postId })).toMatchObject({ new: 1, first: comment.id });
        expect(await numbers("posts", "topic_id", topicId)).toEqual([1, 2]);
      },
    );
  });
});
