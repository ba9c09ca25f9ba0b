import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import {
  castCommentVote,
  castVote,
  createComment,
  createPost,
  createTopic,
  joinByInvite,
  joinTopic,
} from "./index";
import { general } from "./testing";
import { inviteTokenHash } from "./topics/invite-code";

/**
 * What must hold when a hundred do the same thing at once. Asked of the functions themselves, on PGlite (which has
 * one connection) and, where the machine has it, on a PostgreSQL with as many connections as its pool opens.
 */
const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "races"))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races", () => {
    let database: OpenDatabase;
    let owner: MemberContext;
    let crowd: readonly MemberContext[];
    let newUser: () => Promise<MemberContext>;
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      const people = crowdOf(database);
      newUser = people.newUser;
      owner = await newUser();
      crowd = await people.newUsers(parallel);
    });
    afterAll(() => database.close());

    async function newTopic(visibility: "public" | "private" | "secret" = "public") {
      const { topic } = await createTopic(owner, { title: "T", categoryId: general, visibility });
      return topic;
    }
    const newPost = async (topicId: string) =>
      (await createPost(owner, { topicId, title: "P", content: "c" })).post;

    const times = <T>(work: () => Promise<T>) => Array.from({ length: parallel }, work);

    async function members(topicId: string) {
      const { rows } = await sql<{ counted: number; rows: number; owners: number }>`
        select member_count as counted,
          (select count(*)::int from memberships where topic_id = t.id) as rows,
          (select count(*)::int from memberships where topic_id = t.id and role = 'owner') as owners
        from topics t where id = ${topicId}`.execute(database.db);
      return rows[0];
    }

    race("one user joins once, however often they try", rounds, async () => {
      const { id } = await newTopic();
      const user = await newUser();
      expect(await outcomes(times(() => joinTopic(user, { topicId: id })))).toEqual({
        "201": 1,
        already_member: parallel - 1,
      });
      expect(await members(id)).toEqual({ counted: 2, rows: 2, owners: 1 });
    });

    race("a hundred users join and are all counted", rounds, async () => {
      const { id } = await newTopic();
      const calls = crowd.map((user) => joinTopic(user, { topicId: id }));
      expect(await outcomes(calls)).toEqual({ "201": parallel });
      expect(await members(id)).toEqual({ counted: parallel + 1, rows: parallel + 1, owners: 1 });
    });

    race("one request waits, however often it is sent", rounds, async () => {
      const { id } = await newTopic("private");
      const user = await newUser();
      expect(await outcomes(times(() => joinTopic(user, { topicId: id })))).toEqual({
        "202": 1,
        request_pending: parallel - 1,
      });
    });

    race("a token lets one in", rounds, async () => {
      const { id } = await newTopic("secret");
      const token = randomUUID().replaceAll("-", "").slice(0, 16);
      await database.db
        .insertInto("invite_tokens")
        .values({
          token_hash: inviteTokenHash(token),
          topic_id: id,
          issued_by: owner.caller.userId,
          expires_at: new Date(Date.now() + 60_000),
          used_at: null,
        })
        .execute();
      const calls = crowd.map((user) => joinByInvite(user, { inviteCode: token }));
      expect(await outcomes(calls)).toEqual({ done: 1, invite_not_found: parallel - 1 });
      expect(await members(id)).toEqual({ counted: 2, rows: 2, owners: 1 });
    });

    race("one identity enters under one account, whatever way each account takes", rounds, async () => {
      const topic = await newTopic();
      await database.db
        .updateTable("topics")
        .set({ proof_type: "workspace", required_domain: "example.com" })
        .where("id", "=", topic.id)
        .execute();
      const circuit = "oidc_domain_attestation";
      const proven = { domain: "example.com", countries: null, countriesIncluded: null };
      const rows = crowd.map(async ({ caller: { userId }, facts }) => ({
        user_id: userId,
        circuit,
        provider: "provider_a",
        ...(await facts.seal({ userId, circuit }, proven)),
        identity_hash: "the same",
        verified_at: new Date(),
        expires_at: new Date(Date.now() + 60_000),
      }));
      await database.db
        .insertInto("verifications")
        .values(await Promise.all(rows))
        .execute();
      const inviteCode = topic.inviteCode ?? "";
      const calls = crowd.map((user, i) =>
        i % 2 ? joinTopic(user, { topicId: topic.id }) : joinByInvite(user, { inviteCode }),
      );
      const counts = await outcomes(calls);
      expect((counts.done ?? 0) + (counts["201"] ?? 0)).toBe(1);
      expect(counts.proof_used).toBe(parallel - 1);
      expect(await members(topic.id)).toEqual({ counted: 2, rows: 2, owners: 1 });
    });

    async function votes(postId: string) {
      const { rows } = await sql<{ counted: number; sum: number; rows: number }>`
        select upvote_count as counted,
          (select coalesce(sum(value), 0)::int from votes where post_id = p.id) as sum,
          (select count(*)::int from votes where post_id = p.id) as rows
        from posts p where id = ${postId}`.execute(database.db);
      return rows[0];
    }

    race("a hundred voters are all counted", rounds, async () => {
      const { id: topicId, inviteCode } = await newTopic();
      const post = await newPost(topicId);
      await Promise.all(crowd.map((user) => joinByInvite(user, { inviteCode: inviteCode ?? "" })));
      const calls = crowd.map((user, i) => castVote(user, { postId: post.id, value: i % 4 === 0 ? -1 : 1 }));
      expect(await outcomes(calls)).toEqual({ done: parallel });
      expect(await votes(post.id)).toEqual({ counted: 50, sum: 50, rows: parallel });
    });

    race("one voter's toggles end where an even number of them ends: nowhere", rounds, async () => {
      const post = await newPost((await newTopic()).id);
      expect(await outcomes(times(() => castVote(owner, { postId: post.id, value: 1 })))).toEqual({
        done: parallel,
      });
      expect(await votes(post.id)).toEqual({ counted: 0, sum: 0, rows: 0 });
    });

    race("one voter going up and down at once leaves counter and row in agreement", rounds, async () => {
      const post = await newPost((await newTopic()).id);
      let turn = 0;
      const next = () => (++turn % 2 === 0 ? 1 : -1);
      await outcomes(times(() => castVote(owner, { postId: post.id, value: next() })));
      const seen = await votes(post.id);
      expect(seen?.counted).toBe(seen?.sum);
      expect(seen?.rows).toBeLessThanOrEqual(1);
    });

    race("votes on a comment are all counted, and one voter's toggles end nowhere", rounds, async () => {
      const { id: topicId, inviteCode } = await newTopic();
      const post = await newPost(topicId);
      const { comment } = await createComment(owner, { postId: post.id, content: "c" });
      const commentId = comment.id;
      await Promise.all(crowd.map((user) => joinByInvite(user, { inviteCode: inviteCode ?? "" })));
      const calls = [
        ...crowd.map((user, i) => castCommentVote(user, { commentId, value: i % 4 === 0 ? -1 : 1 })),
        ...times(() => castCommentVote(owner, { commentId, value: 1 })),
      ];
      expect(await outcomes(calls)).toEqual({ done: 2 * parallel });
      const { rows } = await sql<{ counted: number; sum: number; rows: number }>`
        select upvote_count as counted,
          (select coalesce(sum(value), 0)::int from comment_votes where comment_id = c.id) as sum,
          (select count(*)::int from comment_votes where comment_id = c.id) as rows
        from comments c where id = ${commentId}`.execute(database.db);
      expect(rows[0]).toEqual({ counted: 50, sum: 50, rows: parallel });
    });

    race("comments are all counted", rounds, async () => {
      const post = await newPost((await newTopic()).id);
      const calls = times(() => createComment(owner, { postId: post.id, content: "c" }));
      expect(await outcomes(calls)).toEqual({ done: parallel });
      const { rows } = await sql<{ counted: number; rows: number }>`
        select comment_count as counted, (select count(*)::int from comments where post_id = p.id) as rows
        from posts p where id = ${post.id}`.execute(database.db);
      expect(rows).toEqual([{ counted: parallel, rows: parallel }]);
    });

    // Tags in opposite orders, in different topics, since posts of one topic queue at its row: without one order of
    // locks two posts would wait for each other.
    race("posts and their tags are all counted, in whatever order the tags are named", rounds, async () => {
      const topics = await Promise.all(Array.from({ length: 10 }, () => newTopic()));
      const word = randomUUID();
      const tags = ["a", "b", "c", "d"].map((letter) => `${word} ${letter}`);
      const calls = Array.from({ length: parallel }, (_, i) => {
        const topicId = topics[i % topics.length]?.id ?? "";
        const named = i % 3 ? tags : [...tags].reverse();
        return createPost(owner, { topicId, title: "P", content: "c", tags: named });
      });
      expect(await outcomes(calls)).toEqual({ done: parallel });
      const counted = await database.db
        .selectFrom("tags")
        .select("public_post_count")
        .where("slug", "like", `${word}-%`)
        .execute();
      expect(counted).toEqual(tags.map(() => ({ public_post_count: parallel })));
      const ids = topics.map((topic) => topic.id);
      const posts = await database.db
        .selectFrom("topics")
        .select("post_count")
        .where("id", "in", ids)
        .execute();
      expect(posts).toEqual(topics.map(() => ({ post_count: parallel / topics.length })));
    });
  });
});
