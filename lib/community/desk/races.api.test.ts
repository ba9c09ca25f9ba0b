import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import type { OperatorRole } from "@/lib/contract/desk";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, deadlocksOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import { createHarness, type Harness } from "@/lib/testing/harness";
import {
  claimReport,
  createComment,
  createPost,
  createTopic,
  decideDeskReport,
  deleteAccount,
  joinTopic,
  reportPost,
  reportTopic,
} from "../index";
import { freshName, general } from "../testing";

/** What must hold when a hundred operators do the same thing at once. */
const postgres = await startPostgres();
afterAll(() => postgres?.close());
const databaseName = "desk";
describe.each(arenas(postgres, databaseName))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races", () => {
    let database: OpenDatabase;
    let h: Harness;
    let crowd: readonly MemberContext[];
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      h = await createHarness({ database });
      crowd = await crowdOf(database).newUsers(parallel + 1);
    });
    afterAll(async () => {
      await h.close();
      if (postgres && !database.pglite) expect(await deadlocksOf(postgres, databaseName)).toBe(0);
    });

    const as = (operator: OperatorRole, ctx: MemberContext): MemberContext => ({
      ...ctx,
      caller: { ...ctx.caller, operator },
    });
    const asReviewer = (ctx: MemberContext) => as("reviewer", ctx);

    /** All but the topic's owner, whom the reports are about. */
    const desk = () => crowd.slice(1);
    /** A topic with two reports, by their ids. */
    async function reported() {
      const [owner = expect.fail(), one = expect.fail(), two = expect.fail()] = crowd;
      const { topic } = await createTopic(owner, { title: "T", categoryId: general, visibility: "public" });
      for (const ctx of [one, two]) await reportTopic(ctx, { topicId: topic.id, reason: "illegal" });
      const rows = await database.db
        .selectFrom("desk_reports")
        .select("id")
        .where("target_id", "=", topic.id)
        .execute();
      return { topicId: topic.id, ids: rows.map(({ id }) => id) };
    }

    race("one of a hundred claims a case, whichever of its reports they ask for", rounds, async () => {
      const { topicId, ids } = await reported();
      const calls = desk().map((ctx, index) =>
        claimReport(asReviewer(ctx), { reportId: ids[index % 2] ?? "" }),
      );
      expect(await outcomes(calls)).toEqual({ done: 1, report_claimed: parallel - 1 });
      const claimants = await database.db
        .selectFrom("desk_reports")
        .select("claimed_by")
        .distinct()
        .where("target_id", "=", topicId)
        .execute();
      expect(claimants).toHaveLength(1);
      expect(claimants[0]?.claimed_by).not.toBeNull();
    });

    race("one of a hundred decides a case, and it is logged once", rounds, async () => {
      const { topicId, ids } = await reported();
      const decided = await Promise.all(
        desk().map((ctx, index) =>
          decideDeskReport(asReviewer(ctx), {
            reportId: ids[index % 2] ?? "",
            action: index % 3 ? "resolve" : "dismiss",
            reason: "r",
          }),
        ),
      );
      expect(
        decided
          .map((answer) => answer.decided)
          .toSorted((a, b) => b - a)
          .slice(0, 2),
      ).toEqual([2, 0]);
      const { rows } = await sql<{ logged: number; statuses: number }>`
        select (select count(*)::int from installation_log where target_id = ${topicId}) as logged,
          (select count(distinct status)::int from desk_reports where target_id = ${topicId}) as statuses`.execute(
        database.db,
      );
      expect(rows).toEqual([{ logged: 1, statuses: 1 }]);
    });

    race("deciding with an act, and leaving, do not wait for each other in a circle", rounds, async () => {
      const [owner = expect.fail()] = crowd;
      const { topic } = await createTopic(owner, { title: "T", categoryId: general, visibility: "public" });
      const topicId = topic.id;
      const cases = await Promise.all(
        Array.from({ length: parallel / 5 }, async (_, i) => {
          // Whoever leaves has answered the post: its lock comes before that of their report.
          const leaver = await h.memberContext((await h.login(freshName("leaver"))).token);
          await joinTopic(leaver, { topicId });
          const author = crowd[i + 1] ?? expect.fail();
          await joinTopic(author, { topicId });
          const { post } = await createPost(author, { topicId, title: "T", content: `<p>${i}</p>` });
          await createComment(leaver, { postId: post.id, content: "c" });
          await reportPost(leaver, { postId: post.id, reason: "illegal" });
          const report = database.db.selectFrom("desk_reports").where("target_id", "=", post.id);
          const { id } = await report.select("id").executeTakeFirstOrThrow();
          return { leaver, reportId: id, status: () => report.select("status").execute() };
        }),
      );
      const answer = { action: "resolve", reason: "r", act: "hide" } as const;
      const calls = cases.flatMap(({ leaver, reportId }, i): Promise<unknown>[] => [
        deleteAccount(leaver),
        decideDeskReport(as("operator", crowd.at(-1 - i) ?? expect.fail()), { reportId, ...answer }),
      ]);
      expect(await outcomes(calls)).toEqual({ done: 2 * cases.length });
      for (const { status } of cases) expect(await status()).toEqual([{ status: "resolved" }]);
    });
  });
});
