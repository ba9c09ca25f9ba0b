import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, outcomes, parallel } from "@/lib/testing/crowd";
import {
  clearPollVote,
  createComment,
  createPost,
  createTopic,
  deleteComment,
  deletePost,
  hidePost,
  joinTopic,
  pinPost,
  toggleBookmark,
  toggleReaction,
  updatePost,
  votePoll,
} from "./index";
import { general } from "./testing";

/** What people do to posts, a hundred at once: counters equal rows afterwards, and nothing waits in a circle. */
const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "content_races"))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races", () => {
    let database: OpenDatabase;
    let owner: MemberContext;
    let crowd: readonly MemberContext[];
    let topicId: string;
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      const people = crowdOf(database);
      owner = await people.newUser();
      crowd = await people.newUsers(parallel);
      topicId = await newTopic();
      await Promise.all(crowd.map((user) => joinTopic(user, { topicId })));
    });
    afterAll(() => database.close());

    /** The same race, repeated with the same users. */
    function race(name: string, round: () => Promise<void>) {
      it(name, { timeout: 30_000 + rounds * 15_000 }, async () => {
        for (let i = 0; i < rounds; i += 1) await round();
      });
    }

    async function newTopic(visibility: "public" | "private" = "public") {
      const { topic } = await createTopic(owner, { title: "T", categoryId: general, visibility });
      return topic.id;
    }
    const newPost = async (
      more: { tags?: string[]; poll?: { options: string[]; multipleChoice: boolean } } = {},
    ) => (await createPost(owner, { topicId, title: "P", content: "c", ...more })).post;
    const times = <T>(work: (index: number) => Promise<T>) =>
      Array.from({ length: parallel }, (_, index) => work(index));
    const done = { done: parallel };

    async function counts(query: ReturnType<typeof sql<{ counted: number; rows: number }>>) {
      const { rows } = await query.execute(database.db);
      return rows.map(({ counted, rows: there }) => [counted, there]);
    }

    const fire = "\u{1F525}";
    const reactions = (postId: string) =>
      counts(sql`select c.count as counted, (select count(*)::int from reactions r
        where r.post_id = c.post_id and r.emoji = c.emoji) as rows
        from reaction_counts c where c.post_id = ${postId} order by c.emoji`);

    race("a hundred reactions are all counted", async () => {
      const { id: postId } = await newPost();
      expect(await outcomes(crowd.map((user) => toggleReaction(user, { postId, emoji: fire })))).toEqual(
        done,
      );
      expect(await reactions(postId)).toEqual([[parallel, parallel]]);
    });

    race("one person's reactions, toggled an even number of times, are gone", async () => {
      const { id: postId } = await newPost();
      expect(await outcomes(times(() => toggleReaction(owner, { postId, emoji: fire })))).toEqual(done);
      expect(await reactions(postId)).toEqual([[0, 0]]);
    });

    race("one person's bookmark, toggled an even number of times, is off", async () => {
      const { id: postId } = await newPost();
      const answers = await Promise.all(times(() => toggleBookmark(owner, { postId })));
      expect(answers.filter((answer) => answer.bookmarked)).toHaveLength(parallel / 2);
      const left = database.db.selectFrom("bookmarks").select("user_id").where("post_id", "=", postId);
      expect(await left.execute()).toEqual([]);
    });

    race("a pin, toggled an even number of times, is off, and the log has every turn", async () => {
      const { id: postId } = await newPost();
      expect(await outcomes(times(() => pinPost(owner, { postId })))).toEqual(done);
      const { rows } = await sql<{ pinned: boolean; entries: number }>`select is_pinned as pinned,
        (select count(*)::int from moderation_log where post_id = p.id) as entries
        from posts p where id = ${postId}`.execute(database.db);
      expect(rows).toEqual([{ pinned: false, entries: parallel }]);
    });

    const pollVotes = (pollId: string) =>
      counts(sql`select o.vote_count as counted, (select count(*)::int from poll_votes v where v.option_id = o.id) as rows
        from poll_options o where o.poll_id = ${pollId} order by o.position`);
    async function newPoll(multipleChoice: boolean) {
      const post = await newPost({ poll: { options: ["A", "B", "C"], multipleChoice } });
      const poll = post.poll ?? expect.fail();
      return { postId: post.id, pollId: poll.id, ids: poll.options.map((option) => option.id) };
    }

    race("one choice: whoever votes for everything at once has one vote", async () => {
      const { postId, pollId, ids } = await newPoll(false);
      const calls = times((i) => votePoll(owner, { postId, optionIds: [ids[i % 3] ?? ""] }));
      expect(await outcomes(calls)).toEqual(done);
      const seen = await pollVotes(pollId);
      expect(seen.every(([counted, rows]) => counted === rows)).toBe(true);
      expect(seen.reduce((sum, [, rows = 0]) => sum + rows, 0)).toBe(1);
    });

    race("one choice: a hundred votes are all counted, and taken back", async () => {
      const { postId, pollId, ids } = await newPoll(false);
      const vote = crowd.map((user, i) => votePoll(user, { postId, optionIds: [ids[i % 2] ?? ""] }));
      expect(await outcomes(vote)).toEqual(done);
      expect(await pollVotes(pollId)).toEqual([
        [parallel / 2, parallel / 2],
        [parallel / 2, parallel / 2],
        [0, 0],
      ]);
      expect(await outcomes(crowd.map((user) => clearPollVote(user, { postId })))).toEqual(done);
      expect(await pollVotes(pollId)).toEqual(ids.map(() => [0, 0]));
    });

    race("several choices: the same options again and again, in any order, count once each", async () => {
      const { postId, pollId, ids } = await newPoll(true);
      const calls = times((i) => votePoll(owner, { postId, optionIds: i % 2 ? ids : [...ids].reverse() }));
      expect(await outcomes(calls)).toEqual(done);
      expect(await pollVotes(pollId)).toEqual(ids.map(() => [1, 1]));
    });

    race("several choices: votes and their taking back leave counts and votes in agreement", async () => {
      const { postId, pollId, ids } = await newPoll(true);
      const calls = crowd.flatMap((user) => [
        votePoll(user, { postId, optionIds: ids.slice(0, 2) }),
        clearPollVote(user, { postId }),
      ]);
      expect(await outcomes(calls)).toEqual({ done: 2 * parallel });
      for (const [counted, rows] of await pollVotes(pollId)) expect(counted).toBe(rows);
    });

    race("votes against a change of the options: either the vote counts or the options changed", async () => {
      const { postId, pollId, ids } = await newPoll(false);
      const seen = await outcomes([
        ...crowd.slice(0, 20).map((user) => votePoll(user, { postId, optionIds: [ids[0] ?? ""] })),
        updatePost(owner, { postId, poll: { options: ["X", "Y"] } }),
      ]);
      const changed = seen.poll_frozen === undefined;
      if (changed) expect(seen.done).toBe(1 + 20 - (seen.poll_option_unknown ?? 0));
      else expect(seen).toEqual({ done: 20, poll_frozen: 1 });
      for (const [counted, rows] of await pollVotes(pollId)) expect(counted).toBe(rows);
    });

    race("comments written and deleted at once are counted as they are", async () => {
      const { id: postId } = await newPost();
      const old = await Promise.all(
        crowd.slice(0, 50).map((user) => createComment(user, { postId, content: "old" })),
      );
      const calls = [
        ...crowd.map((user) => createComment(user, { postId, content: "new" })),
        // Each by its author and by the owner: one of the two finds nothing.
        ...old.flatMap(({ comment }, i) => [
          deleteComment(crowd[i] ?? owner, { commentId: comment.id }),
          deleteComment(owner, { commentId: comment.id }),
        ]),
      ];
      expect(await outcomes(calls)).toEqual({ done: parallel + 50, comment_not_found: 50 });
      const live = sql`(select count(*)::int from comments where post_id = p.id and deleted_at is null)`;
      const found = counts(
        sql`select comment_count as counted, ${live} as rows from posts p where id = ${postId}`,
      );
      expect(await found).toEqual([[parallel, parallel]]);
    });

    race(
      "posts written, retagged, hidden and deleted at once leave every count of tags and topics true",
      async () => {
        const topics = [await newTopic(), await newTopic("private")];
        const names = ["crowd a", "crowd b", "crowd c", "crowd d", "crowd e"];
        const some = (i: number) => {
          const chosen = names.filter((_, n) => (i >> n) % 2 === 0);
          return i % 2 ? chosen : chosen.reverse();
        };
        const write = (i: number) =>
          createPost(owner, { topicId: topics[i % 2] ?? "", title: "P", content: "c", tags: some(i) });
        const there = await Promise.all(Array.from({ length: 30 }, (_, i) => write(i)));
        const calls = times((i): Promise<unknown> => {
          const { post } = there[i % 30] ?? expect.fail();
          if (i < 40) return write(i);
          if (i < 70) return updatePost(owner, { postId: post.id, tags: some(i * 7) });
          if (i < 85) return hidePost(owner, { postId: post.id, hidden: i % 3 > 0, reason: "r" });
          return deletePost(owner, { postId: post.id });
        });
        const {
          done: well = 0,
          post_not_found: late = 0,
          post_hidden: hidden = 0,
          ...other
        } = await outcomes(calls);
        expect([well + late + hidden, other]).toEqual([parallel, {}]);
        const wrong = await sql`
        select t.slug, t.public_post_count, c.rows from tags t cross join lateral (
          select count(*)::int as rows from post_tags g join posts p on p.id = g.post_id
          where g.tag_id = t.id and p.is_public and p.deleted_at is null and p.hidden_at is null) c
        where t.public_post_count <> c.rows`.execute(database.db);
        expect(wrong.rows).toEqual([]);
        const wrongHere = await sql`
        select k.slug, k.post_count, c.rows from topic_tags k cross join lateral (
          select count(p.id)::int as rows from post_tags g join posts p on p.id = g.post_id
          where g.tag_id = k.tag_id and p.topic_id = k.topic_id and p.deleted_at is null and p.hidden_at is null) c
        where k.post_count <> c.rows`.execute(database.db);
        expect(wrongHere.rows).toEqual([]);
        const posts = counts(sql`select post_count as counted, (select count(*)::int from posts
        where topic_id = t.id and deleted_at is null) as rows from topics t where id in (${sql.join(topics)})`);
        for (const [counted, rows] of await posts) expect(counted).toBe(rows);
      },
    );
  });
});
