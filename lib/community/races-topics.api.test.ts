import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import * as community from "./index";
import { verifyLog } from "./moderation/chain";
import { general } from "./testing";

/** Staff, members and outsiders who act on one topic at once: what must hold in every order. */
const postgres = await startPostgres();
afterAll(() => postgres?.close());

describe.each(arenas(postgres, "races_topics"))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races", () => {
    let database: OpenDatabase;
    let owner: MemberContext;
    let admin: MemberContext;
    let crowd: readonly MemberContext[];
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      const people = crowdOf(database);
      owner = await people.newUser();
      admin = await people.newUser();
      crowd = await people.newUsers(parallel);
    });
    afterAll(() => database.close());

    const half = parallel / 2;
    const user = (index: number) => crowd[index % crowd.length] ?? expect.fail();
    const idOf = (member: MemberContext) => member.caller.userId;
    /** Calls of two kinds, alternating, so that they meet. */
    const alternating = <T>(one: (i: number) => Promise<T>, other: (i: number) => Promise<T>) =>
      Array.from({ length: half }, (_, i) => [one(i), other(i)]).flat();

    function assertOnly(counts: Record<string, number>, known: readonly string[]) {
      expect(Object.entries(counts).filter(([name]) => !known.includes(name))).toEqual([]);
    }

    /** A topic of the owner, with the admin as its admin and the first `members` of the crowd in it. */
    async function newTopic(members = 0, visibility: "public" | "private" = "public") {
      const { topic } = await community.createTopic(owner, { title: "T", categoryId: general, visibility });
      const rows = [admin, ...crowd.slice(0, members)].map((member) => ({
        topic_id: topic.id,
        user_id: idOf(member),
        role: member === admin ? ("admin" as const) : ("member" as const),
        joined_at: new Date(),
      }));
      await database.db.insertInto("memberships").values(rows).execute();
      await database.db
        .updateTable("topics")
        .set({ member_count: rows.length + 1 })
        .where("id", "=", topic.id)
        .execute();
      return topic.id;
    }

    const rolesIn = async (topicId: string) => {
      const rows = await database.db
        .selectFrom("memberships")
        .select(["user_id", "role"])
        .where("topic_id", "=", topicId)
        .execute();
      return new Map(rows.map(({ user_id, role }) => [user_id, role]));
    };

    async function logOf(topicId: string) {
      return await database.db
        .selectFrom("moderation_log")
        .select(["action", "subject_id"])
        .where("topic_id", "=", topicId)
        .execute();
    }

    /** Counters equal rows, there is one owner and the creator is that, and the log holds. */
    async function assertSound(topicId: string) {
      const { rows } = await sql`
        select member_count = (select count(*) from memberships where topic_id = t.id) as members,
          open_report_count = (select count(*) from reports where topic_id = t.id and status = 'open') as reports,
          post_count = (select count(*) from posts where topic_id = t.id and deleted_at is null) as posts,
          (select array_agg(user_id) from memberships where topic_id = t.id and role = 'owner')
            = array[creator_id] as owner,
          log_seq = (select count(*) from moderation_log where topic_id = t.id) as log
        from topics t where id = ${topicId}`.execute(database.db);
      expect(rows).toEqual([{ members: true, reports: true, posts: true, owner: true, log: true }]);
      const entries = [];
      let cursor: string | undefined;
      do {
        const reader = { ...owner, caller: { ...owner.caller, userId: await ownerOf(topicId) } };
        const page = await community.readLog(reader, { topicId, limit: 100, cursor });
        entries.push(...page.entries);
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(verifyLog(topicId, entries.reverse())).toBeNull();
    }
    async function ownerOf(topicId: string): Promise<string> {
      for (const [userId, role] of await rolesIn(topicId)) if (role === "owner") return userId;
      return expect.fail("nobody owns the topic");
    }

    race("a topic is handed over once, however many are offered it", rounds, async () => {
      const topicId = await newTopic(parallel);
      const calls = crowd.map((member) =>
        community.setRole(owner, { topicId, userId: idOf(member), role: "owner" }),
      );
      expect(await outcomes(calls)).toEqual({ done: 1, role_required: parallel - 1 });
      await assertSound(topicId);
    });

    race("handed on and on there is one owner at every moment", rounds, async () => {
      const topicId = await newTopic(10);
      const holders = [owner, ...crowd.slice(0, 10)];
      let seen = 0;
      const calls = alternating<unknown>(
        (i) => {
          const [from = owner, to = owner] = [holders[i % 11], holders[(i + 1) % 11]];
          return community.setRole(from, { topicId, userId: idOf(to), role: "owner" });
        },
        async () => {
          const owners = [...(await rolesIn(topicId)).values()].filter((role) => role === "owner");
          expect(owners).toHaveLength(1);
          seen += 1;
        },
      );
      const counts = await outcomes(calls);
      expect(seen).toBe(half);
      expect((counts.done ?? 0) + (counts.role_required ?? 0)).toBe(parallel);
      expect(counts.done).toBeGreaterThan(half);
      await assertSound(topicId);
    });

    race("whoever is offered a topic and leaves at once either left or owns it", rounds, async () => {
      const topicId = await newTopic(half);
      const calls = alternating<unknown>(
        (i) => community.setRole(owner, { topicId, userId: idOf(user(i)), role: "owner" }),
        (i) => community.leaveTopic(user(i), { topicId }),
      );
      const counts = await outcomes(calls);
      assertOnly(counts, ["done", "role_required", "member_not_found", "owner_must_transfer"]);
      await assertSound(topicId);
    });

    race("two admins who approve the same requests let each asker in once", rounds, async () => {
      const topicId = await newTopic(0, "private");
      await outcomes(crowd.slice(0, half).map((asker) => community.joinTopic(asker, { topicId })));
      const page = { topicId, limit: parallel, offset: 0 };
      const { requests } = await community.listRequests(owner, page);
      const approve = (by: MemberContext) => (i: number) =>
        community.decideRequest(by, { topicId, requestId: requests[i]?.id ?? "", action: "approve" });
      expect(await outcomes(alternating(approve(owner), approve(admin)))).toEqual({
        done: half,
        join_request_decided: half,
      });
      expect((await rolesIn(topicId)).size).toBe(half + 2);
      expect(await logOf(topicId)).toHaveLength(half);
      await assertSound(topicId);
    });

    race("an approval and an invite let the asker in once", rounds, async () => {
      const topicId = await newTopic(0, "private");
      await outcomes(crowd.slice(0, half).map((asker) => community.joinTopic(asker, { topicId })));
      const { requests } = await community.listRequests(owner, { topicId, limit: parallel, offset: 0 });
      const { topic } = await community.getTopic(owner, { topicId });
      const counts = await outcomes(
        alternating<unknown>(
          (i) =>
            community.decideRequest(admin, { topicId, requestId: requests[i]?.id ?? "", action: "approve" }),
          (i) => community.joinByInvite(user(i), { inviteCode: topic.inviteCode ?? "" }),
        ),
      );
      assertOnly(counts, ["done", "join_request_decided", "already_member"]);
      expect((await rolesIn(topicId)).size).toBe(half + 2);
      const waiting = await community.listRequests(owner, { topicId, limit: parallel, offset: 0 });
      expect(waiting.requests).toEqual([]);
      await assertSound(topicId);
    });

    race(
      "reports are counted once per person, and the count is right while they are answered",
      rounds,
      async () => {
        const topicId = await newTopic(half);
        const { post } = await community.createPost(owner, { topicId, title: "P", content: "c" });
        const report = (i: number) =>
          community.reportPost(user(i), { postId: post.id, reason: "spam", details: undefined });
        expect(await outcomes(alternating(report, report))).toEqual({ done: parallel });
        const queue = async () =>
          await community.listReports(owner, {
            topicId,
            limit: parallel,
            status: undefined,
            cursor: undefined,
          });
        expect((await queue()).reports).toHaveLength(half);
        expect((await queue()).openCount).toBe(half);
        await assertSound(topicId);
        const { reports } = await queue();
        const decide = (i: number) =>
          community.decideReport(admin, { topicId, reportId: reports[i]?.id ?? "", action: "dismiss" });
        expect(await outcomes(alternating<unknown>(decide, report))).toEqual({ done: parallel });
        await assertSound(topicId);
      },
    );

    race("nobody is a member and banned", rounds, async () => {
      const topicId = await newTopic();
      const ban = (i: number) =>
        community.imposeSanction(owner, { topicId, userId: idOf(user(i)), kind: "ban", reason: "r" });
      const bans: Promise<unknown>[] = [];
      // Every other ban comes after its join was checked and before it is written: a join reads the clock a
      // second time then.
      const joinAndBan = (i: number) => {
        let readings = 0;
        const now = () => {
          readings += 1;
          if (readings === 2) bans.push(ban(i));
          return new Date();
        };
        return community.joinTopic({ ...user(i), now }, { topicId });
      };
      const joins = Array.from({ length: half }, (_, i) => {
        if (i % 2 === 0) return joinAndBan(i);
        const join = community.joinTopic(user(i), { topicId });
        bans.push(ban(i));
        return join;
      });
      const joined = await outcomes(joins);
      expect(bans).toHaveLength(half);
      const counts = { ...joined, ...(await outcomes(bans)) };
      assertOnly(counts, ["201", "banned", "done"]);
      expect(counts.done).toBe(half);
      expect([...(await rolesIn(topicId)).keys()].sort()).toEqual([idOf(admin), idOf(owner)].sort());
      await assertSound(topicId);
    });

    race("nobody comes back at once who was removed, however many joins are under way", rounds, async () => {
      const topicId = await newTopic();
      const counts = await outcomes(
        alternating<unknown>(
          (i) => community.joinTopic(user(i % 10), { topicId }),
          (i) => community.removeMember(admin, { topicId, userId: idOf(user(i % 10)) }),
        ),
      );
      assertOnly(counts, ["201", "done", "already_member", "request_too_soon", "member_not_found"]);
      const members = await rolesIn(topicId);
      for (const { subject_id } of await logOf(topicId)) expect(members.has(subject_id ?? "")).toBe(false);
      await assertSound(topicId);
    });

    race("whoever is made an admin is not removed by one", rounds, async () => {
      const topicId = await newTopic(half);
      const counts = await outcomes(
        alternating<unknown>(
          (i) => community.setRole(owner, { topicId, userId: idOf(user(i)), role: "admin" }),
          (i) => community.removeMember(admin, { topicId, userId: idOf(user(i)) }),
        ),
      );
      assertOnly(counts, ["done", "member_not_found", "role_required"]);
      // Of each pair one succeeded: they are an admin, or gone.
      expect(counts.done).toBe(half);
      const members = await rolesIn(topicId);
      for (const { action, subject_id } of await logOf(topicId)) {
        expect(members.get(subject_id ?? "")).toBe(action === "role_changed" ? "admin" : undefined);
      }
      await assertSound(topicId);
    });

    race(
      "a topic that is deleted leaves nothing behind, whatever is written into it meanwhile",
      rounds,
      async () => {
        const topicId = await newTopic(half);
        const tags = [`gone ${topicId}`];
        const write = async (by: MemberContext) =>
          (await community.createPost(by, { topicId, title: "P", content: "c", tags })).post.id;
        const posts = await Promise.all([write(owner), write(admin), write(user(0))]);
        const postId = (i: number) => posts[i % posts.length] ?? "";
        const acts: ((i: number) => Promise<unknown>)[] = [
          (i) => write(user(i % half)),
          (i) => community.joinTopic(user(half + Math.floor(i / 2)), { topicId }),
          (i) => community.createComment(user(i % half), { postId: postId(i), content: "c" }),
          (i) => community.castVote(user(i % half), { postId: postId(i), value: 1 }),
          (i) => community.toggleReaction(user(i % half), { postId: postId(i), emoji: "🔥" }),
          (i) => community.toggleBookmark(user(i % half), { postId: postId(i) }),
          (i) => community.reportPost(user(i % half), { postId: postId(i), reason: "spam" }),
          (i) => community.hidePost(admin, { postId: postId(i), hidden: i % 3 === 0 }),
          (i) => community.createInvite(user(i % half), { topicId }),
          (i) => community.setRole(owner, { topicId, userId: idOf(user(i % half)), role: "admin" }),
        ];
        // The deletion comes when some of them are done, some are running and some have not begun.
        const calls = Array.from({ length: parallel }, (_, i) =>
          i === 30
            ? community.deleteTopic(owner, { topicId })
            : (acts[i % acts.length]?.(i) ?? expect.fail()),
        );
        const counts = await outcomes(calls);
        assertOnly(counts, [
          "done",
          "201",
          "topic_not_found",
          "post_not_found",
          "post_hidden",
          "not_a_member",
        ]);
        const { rows } = await sql`
        select (select count(*)::int from topics where id = ${topicId}) as topics,
          (select count(*)::int from posts where topic_id = ${topicId}) as posts,
          (select count(*)::int from memberships where topic_id = ${topicId}) as members,
          (select count(*)::int from invite_tokens where topic_id = ${topicId}) as invites,
          (select count(*)::int from reports where topic_id = ${topicId}) as reports,
          (select count(*)::int from comments where post_id = any(${posts}::uuid[])) as comments,
          (select count(*)::int from tags where slug = ${`gone-${topicId}`}) as tags`.execute(database.db);
        expect(rows).toEqual([
          { topics: 0, posts: 0, members: 0, invites: 0, reports: 0, comments: 0, tags: 0 },
        ]);
      },
    );
  });
});
