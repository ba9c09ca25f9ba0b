import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import { claimReport, decideDeskReport, reportTopic } from "../index";
import { general } from "../testing";
import { createTopic } from "../topics/create";

/** What must hold when a hundred operators do the same thing at once. */
const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "desk"))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races", () => {
    let database: OpenDatabase;
    let crowd: readonly MemberContext[];
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      crowd = await crowdOf(database).newUsers(parallel + 1);
    });
    afterAll(() => database.close());

    const asReviewer = (ctx: MemberContext): MemberContext => ({
      ...ctx,
      caller: { ...ctx.caller, operator: "reviewer" },
    });

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
  });
});
