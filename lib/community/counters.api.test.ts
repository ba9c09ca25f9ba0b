import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf } from "@/lib/testing/crowd";
import { addUpLeftovers, appendedNothing, countVotes } from "./counters";
import { castVote, createComment, createPost, createTopic, deletePost, joinTopic } from "./index";
import { postScore } from "./scores";
import { general } from "./testing";

/** Writers whose counters somebody else has. PGlite has one connection, so nobody ever does there. */
const postgres = await startPostgres();
afterAll(() => postgres?.close());
const [arena] = arenas(postgres, "counters").filter(({ name }) => name !== "PGlite");
describe(`counters on ${arena?.name ?? "PostgreSQL (skipped: no `postgres` program on this machine)"}`, () => {
  describe.skipIf(!arena?.open)("that somebody else has", () => {
    let database: OpenDatabase;
    let owner: MemberContext;
    let other: MemberContext;
    let topicId: string;
    let postId: string;
    beforeAll(async () => {
      database = (await arena?.open?.()) ?? expect.fail();
      const people = crowdOf(database);
      [owner, other] = [await people.newUser(), await people.newUser()];
      ({ id: topicId } = (
        await createTopic(owner, { title: "T", categoryId: general, visibility: "public" })
      ).topic);
      await joinTopic(other, { topicId });
      ({ id: postId } = (await createPost(owner, { topicId, title: "P", content: "c" })).post);
    });
    afterAll(() => database.close());

    /** Keeps a row as a writer does whose commit is on its way to the disk. @returns what ends that */
    async function busy(table: "topics" | "posts", id: string): Promise<() => Promise<void>> {
      let end = () => {};
      const held = new Promise<void>((resolve) => {
        end = resolve;
      });
      let has = () => {};
      const taken = new Promise<void>((resolve) => {
        has = resolve;
      });
      const done = database.db.transaction().execute(async (trx) => {
        await sql`select from ${sql.table(table)} where id = ${id} for no key update`.execute(trx);
        has();
        await held;
      });
      await taken;
      return async () => {
        end();
        await done;
      };
    }

    async function numberOf(query: ReturnType<typeof sql<{ number: number }>>): Promise<number> {
      return (await query.execute(database.db)).rows[0]?.number ?? Number.NaN;
    }
    const appended = () =>
      numberOf(
        sql`select (select count(*) from topic_deltas)::int + (select count(*) from post_deltas)::int as number`,
      );
    const appendedToPosts = () => numberOf(sql`select count(*)::int as number from post_deltas`);
    const postsOf = () => numberOf(sql`select post_count as number from topics where id = ${topicId}`);
    const read = async () =>
      await database.db.selectFrom("posts").selectAll().where("id", "=", postId).executeTakeFirstOrThrow();

    it("are added to later: the write is committed meanwhile, and answered afterwards", async () => {
      const before = await postsOf();
      const free = await busy("topics", topicId);
      let answered = false;
      const writing = createPost(owner, { topicId, title: "waits for nobody", content: "c" }).finally(() => {
        answered = true;
      });
      const there = sql<{
        number: number;
      }>`select count(*)::int as number from posts where title = 'waits for nobody'`;
      await expect.poll(() => numberOf(there)).toBe(1);
      await pause(50);
      expect([answered, await postsOf(), await appended()]).toEqual([false, before, 1]);
      await free();
      const { post } = await writing;
      expect([await postsOf(), await appended()]).toEqual([before + 1, 0]);
      await deletePost(owner, { postId: post.id });
      expect(await postsOf()).toBe(before);
    });

    it("get comments and votes of many at once, with the score of exactly that count", async () => {
      const free = await busy("posts", postId);
      const writing = [
        createComment(owner, { postId, content: "one" }),
        createComment(other, { postId, content: "two" }),
      ];
      const voting = [castVote(owner, { postId, value: 1 }), castVote(other, { postId, value: 1 })];
      // Two comments at once may append to their topic, too.
      await expect.poll(appendedToPosts).toBe(4);
      expect(await read()).toMatchObject({ comment_count: 0, upvote_count: 0 });
      await free();
      await Promise.all(writing);
      for (const { upvoteCount } of await Promise.all(voting)) expect([1, 2]).toContain(upvoteCount);
      const { comment_count, upvote_count, score, created_at, last_activity_at } = await read();
      expect([comment_count, upvote_count, score]).toEqual([2, 2, postScore(2, created_at)]);
      expect(last_activity_at.getTime()).toBeGreaterThan(created_at.getTime());
      expect(await castVote(other, { postId, value: -1 })).toEqual({ vote: { value: -1 }, upvoteCount: 0 });
      expect(await read()).toMatchObject({ upvote_count: 0, score: postScore(0, created_at) });
    });

    it("that have moved far since they were read still get the right score", async () => {
      const { created_at, upvote_count } = await read();
      const later = appendedNothing();
      const stale = { id: postId, upvote_count: upvote_count - 100, created_at };
      const count = await database.db.transaction().execute((trx) => countVotes(trx, later, stale, 1));
      expect([count, ...later.posts]).toEqual([null, postId]);
      await addUpLeftovers(database.db);
      expect(await read()).toMatchObject({
        upvote_count: upvote_count + 1,
        score: postScore(upvote_count + 1, created_at),
      });
    });

    it("get what a process appended that was killed before it could add up", async () => {
      const before = await postsOf();
      const { comment_count } = await read();
      const at = new Date(Date.now() + 60_000);
      await database.db
        .insertInto("topic_deltas")
        .values({ topic_id: topicId, posts: 2, active_at: at })
        .execute();
      await database.db
        .insertInto("post_deltas")
        .values({ post_id: postId, comments: 3, votes: 0, active_at: at })
        .execute();
      await addUpLeftovers(database.db);
      expect([await postsOf(), await appended()]).toEqual([before + 2, 0]);
      expect(await read()).toMatchObject({ comment_count: comment_count + 3, last_activity_at: at });
      await addUpLeftovers(database.db);
      expect(await postsOf()).toBe(before + 2);
    });
  });
});
