import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import { createHarness, type Harness } from "@/lib/testing/harness";
import {
  answerOffer,
  cancelOffer,
  createPost,
  createTopic,
  decideCases,
  deleteAccount,
  imposeSanction,
  joinTopic,
  offerOwnership,
  reportPost,
  setRole,
} from "../index";
import { general, signIn } from "../testing";

/** What must hold when a hundred people of a topic's staff do the same thing at once. */
const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "staff"))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races", () => {
    let database: OpenDatabase;
    let crowd: readonly MemberContext[];
    let h: Harness;
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      h = await createHarness({ database });
      crowd = await crowdOf(database).newUsers(parallel);
    });
    afterAll(() => h.close());

    /** A topic of the first in the crowd; all others are admins. */
    async function staffed() {
      const [owner = expect.fail(), ...admins] = crowd;
      const { topic } = await createTopic(owner, { title: "T", categoryId: general, visibility: "public" });
      await database.db
        .insertInto("memberships")
        .values(
          admins.map(({ caller }) => ({
            topic_id: topic.id,
            user_id: caller.userId,
            role: "admin" as const,
            joined_at: new Date(),
          })),
        )
        .execute();
      await sql`update topics set member_count = ${crowd.length} where id = ${topic.id}`.execute(database.db);
      return { topicId: topic.id, owner, admins };
    }

    async function reported() {
      const at = await staffed();
      const author = await crowdOf(database).newUser();
      await database.db
        .insertInto("memberships")
        .values({
          topic_id: at.topicId,
          user_id: author.caller.userId,
          role: "member",
          joined_at: new Date(),
        })
        .execute();
      const { post } = await createPost(author, { topicId: at.topicId, title: "P", content: "<p>c</p>" });
      for (const ctx of at.admins.slice(0, 3)) await reportPost(ctx, { postId: post.id, reason: "spam" });
      return { ...at, author, postId: post.id };
    }

    const logged = async (topicId: string) =>
      (
        await database.db
          .selectFrom("moderation_log")
          .select("action")
          .where("topic_id", "=", topicId)
          .orderBy("seq")
          .execute()
      ).map(({ action }) => action);

    race(
      "one of a hundred decides a case; the others are told so, and nothing is done twice",
      rounds,
      async () => {
        const { topicId, postId } = await reported();
        const actions = ["hide", "dismiss", "resolve", "delete"] as const;
        const decided = await Promise.all(
          crowd.map((ctx, index) =>
            decideCases(ctx, {
              cases: [{ kind: "post", targetId: postId }],
              action: actions[index % actions.length] ?? "hide",
            }),
          ),
        );
        const results = decided.flatMap(({ results: [one] }) => one ?? []);
        expect(results.filter(({ done }) => done).map(({ closedReports }) => closedReports)).toEqual([3]);
        const refused = results.flatMap(({ error }) => error?.code ?? []);
        // Of a deleted post, the case is decided, too.
        expect(refused).toEqual(Array(parallel - 1).fill("case_decided"));
        const actionsLogged = await logged(topicId);
        expect(actionsLogged.filter((action) => action.startsWith("report_"))).toHaveLength(1);
        expect(actionsLogged.length).toBeLessThanOrEqual(2);
        const { rows } = await sql<{ open: number; counted: number }>`
        select (select count(*)::int from reports where topic_id = t.id and status = 'open') as open,
          open_report_count as counted from topics t where id = ${topicId}`.execute(database.db);
        expect(rows).toEqual([{ open: 0, counted: 0 }]);
      },
    );

    race("bans that hide, posts and decisions meet without a deadlock", rounds, async () => {
      const { topicId, postId, author, admins } = await reported();
      const calls = admins.slice(0, 60).map((ctx, index) => {
        if (index % 3 === 0) {
          const who = { topicId, userId: author.caller.userId, kind: "ban", reason: "r" } as const;
          return imposeSanction(ctx, { ...who, hide: index % 2 ? "day" : "reported" });
        }
        if (index % 3 === 1)
          return decideCases(ctx, { cases: [{ kind: "post", targetId: postId }], action: "hide" });
        return createPost(author, { topicId, title: `P ${index}`, content: "<p>c</p>" });
      });
      const counts = await outcomes(calls);
      expect(Object.keys(counts).filter((name) => name !== "done" && name !== "not_a_member")).toEqual([]);
      // Nothing that was written before the last ban is left: each ban hides what came before it.
      const { rows } = await sql<{ shown: number }>`
        select count(*)::int as shown from posts where topic_id = ${topicId} and hidden_at is null
          and author_id = ${author.caller.userId}`.execute(database.db);
      expect(rows[0]?.shown).toBe(0);
    });

    race("an offer, accepted, taken back and overtaken at once, leaves one owner", rounds, async () => {
      const [owner = expect.fail(), heir = expect.fail(), other = expect.fail()] = await Promise.all(
        Array.from({ length: 3 }, async () => h.memberContext((await signIn(h)).token)),
      );
      const place = { title: "T", categoryId: general, visibility: "public" } as const;
      const { topic } = await createTopic(owner, place);
      const topicId = topic.id;
      for (const ctx of [heir, other]) await joinTopic(ctx, { topicId });
      await offerOwnership(owner, { topicId, userId: heir.caller.userId });
      const acts = [
        () => answerOffer(heir, { topicId, accept: true }),
        () => cancelOffer(owner, { topicId }),
        () => setRole(owner, { topicId, userId: other.caller.userId, role: "owner" }),
        () => deleteAccount(owner),
        () => offerOwnership(owner, { topicId, userId: heir.caller.userId }),
        () => answerOffer(heir, { topicId, accept: false }),
      ];
      // In every round in another order.
      const shift = Math.floor(Math.random() * acts.length);
      const calls = Array.from({ length: parallel }, (_, index) => acts[(index + shift) % acts.length]?.());
      const counts = await outcomes(calls.map(async (call) => await call));
      const known = ["done", "offer_not_found", "offer_open", "role_required", "owns_topics", "not_a_member"];
      const gone = ["not_authenticated", "member_not_found"];
      expect(Object.keys(counts).filter((name) => ![...known, ...gone].includes(name))).toEqual([]);
      const { rows } = await sql<{ owners: string[]; creator: string; transfers: number; offers: number }>`
        select (select array_agg(user_id) from memberships m where m.topic_id = t.id and m.role = 'owner') as owners,
          creator_id as creator, (select count(*)::int from ownership_offers o where o.topic_id = t.id) as offers,
          (select count(*)::int from moderation_log l
            where l.topic_id = t.id and l.action = 'ownership_transferred') as transfers
        from topics t where id = ${topicId}`.execute(database.db);
      const [now = expect.fail()] = rows;
      expect(now.owners).toEqual([now.creator]);
      expect(now.transfers).toBeLessThanOrEqual(1);
      // Who no longer owns it offers it no longer.
      if (now.transfers === 1) expect(now.offers).toBe(0);
    });
  });
});
