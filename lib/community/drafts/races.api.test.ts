import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { LIMITS } from "@/lib/contract/limits";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import {
  cancelScheduled,
  createTopic,
  joinTopic,
  leaveTopic,
  listScheduled,
  saveDraft,
  schedulePost,
} from "../index";
import { draftTitled, general } from "../testing";
import { publishDue } from "./publish";

const HOUR_MS = 3_600_000;

/** One writer with many devices, and many processes that publish: nothing is lost, and nothing happens twice. */
const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "draft_races"))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races", () => {
    let database: OpenDatabase;
    let people: ReturnType<typeof crowdOf>;
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      people = crowdOf(database);
    });
    afterAll(() => database.close());

    const newTopic = async (owner: MemberContext) =>
      (await createTopic(owner, { title: "T", categoryId: general, visibility: "public" })).topic.id;
    const times = <T>(work: (index: number) => Promise<T>) =>
      Array.from({ length: parallel }, (_, index) => work(index));
    const publishAt = () => new Date(Date.now() + HOUR_MS).toISOString();
    const later = (writer: MemberContext, topicId: string) =>
      schedulePost(writer, { topicId, title: "Later", content: "<p>c</p>", publishAt: publishAt() });

    race("one of many devices saves, first and again", rounds, async () => {
      const writer = await people.newUser();
      const topicId = await newTopic(writer);
      for (const version of [null, 1]) {
        const saves = times((device) =>
          saveDraft(writer, { topicId, content: draftTitled(`${device}`), version }),
        );
        expect(await outcomes(saves)).toEqual({ done: 1, draft_changed: parallel - 1 });
      }
    });

    race("no more wait than may", rounds, async () => {
      const writer = await people.newUser();
      const topicId = await newTopic(writer);
      expect(await outcomes(times(() => later(writer, topicId)))).toEqual({
        done: LIMITS.scheduled.most,
        too_many_scheduled: parallel - LIMITS.scheduled.most,
      });
    });

    race("each refusal is told once", rounds, async () => {
      const [owner, writer] = await people.newUsers(2);
      if (!owner || !writer) expect.fail();
      const topicId = await newTopic(owner);
      await joinTopic(writer, { topicId });
      await later(writer, topicId);
      await leaveTopic(writer, { topicId });
      const due = { ...writer, now: () => new Date(Date.now() + 2 * HOUR_MS) };
      await Promise.all(times(() => publishDue(due)));
      const told = await database.db
        .selectFrom("notifications")
        .select("kind")
        .where("user_id", "=", writer.caller.userId)
        .execute();
      expect(told).toEqual([{ kind: "scheduled_refused" }]);
    });

    race("each is published once, or taken back", rounds, async () => {
      const writer = await people.newUser();
      const topicId = await newTopic(writer);
      const ids: string[] = [];
      for (let i = 0; i < LIMITS.scheduled.most; i += 1)
        ids.push((await later(writer, topicId)).scheduled.id);
      const due = { ...writer, now: () => new Date(Date.now() + 2 * HOUR_MS) };
      const [taken] = await Promise.all([
        outcomes(ids.slice(0, 10).map((scheduledId) => cancelScheduled(writer, { scheduledId }))),
        ...Array.from({ length: 8 }, () => publishDue(due)),
      ]);
      const posts = await database.db
        .selectFrom("posts")
        .select("id")
        .where("topic_id", "=", topicId)
        .execute();
      expect((taken.done ?? 0) + (taken.scheduled_not_found ?? 0)).toBe(10);
      expect(posts).toHaveLength(LIMITS.scheduled.most - (taken.done ?? 0));
      expect((await listScheduled(writer, {})).scheduled).toEqual([]);
    });
  });
});
