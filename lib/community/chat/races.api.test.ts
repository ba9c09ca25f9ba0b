import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import { createTopic, deleteTopic, joinTopic, removeMember, sendMessage } from "../index";
import { general } from "../testing";
import { chatConnections } from "./connections";

/** What must hold of a chat when a hundred do something at once. */
const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "chat_races"))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races of chat", () => {
    let database: OpenDatabase;
    let owner: MemberContext;
    let crowd: readonly MemberContext[];
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      const people = crowdOf(database);
      owner = await people.newUser();
      crowd = await people.newUsers(20);
    });
    afterAll(() => database.close());

    async function newTopic(): Promise<string> {
      const { topic } = await createTopic(owner, { title: "T", categoryId: general, visibility: "public" });
      for (const user of crowd) await joinTopic(user, { topicId: topic.id });
      return topic.id;
    }
    const sends = (topicId: string, count: number) =>
      Array.from({ length: count }, (_, i) =>
        sendMessage(crowd[i % crowd.length] ?? owner, { topicId, message: String(i) }),
      );

    async function entries(topicId: string) {
      return await database.db
        .selectFrom("chat_messages")
        .selectAll()
        .where("topic_id", "=", topicId)
        .orderBy("position")
        .execute();
    }

    /** Positions from 1 without gaps, times strictly later, the room's numbers those of its rows. */
    async function expectInOrder(topicId: string): Promise<void> {
      const rows = await entries(topicId);
      expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
      const times = rows.map(({ created_at }) => created_at.getTime());
      for (const [index, time] of times.entries()) {
        if (index > 0) expect(time).toBeGreaterThan(times[index - 1] ?? time);
      }
      const room = await database.db
        .selectFrom("chat_rooms")
        .selectAll()
        .where("topic_id", "=", topicId)
        .executeTakeFirst();
      // The first entry makes the room.
      if (rows.length === 0) return expect(room).toBeUndefined();
      expect(room).toMatchObject({
        last_position: rows.length,
        message_count: rows.filter(({ type }) => type === "message").length,
        last_at: rows.at(-1)?.created_at,
      });
    }

    race("messages get positions without gaps and times one after the other", rounds, async () => {
      const topicId = await newTopic();
      expect(await outcomes(sends(topicId, parallel))).toEqual({ done: parallel });
      expect(await entries(topicId)).toHaveLength(parallel);
      await expectInOrder(topicId);
    });

    race("messages that arrive together are written together", rounds, async () => {
      const topicId = await newTopic();
      expect(await outcomes(sends(topicId, parallel))).toEqual({ done: parallel });
      const { rows } = await sql<{ transactions: number }>`
        select count(distinct xmin::text)::int as transactions from chat_messages
        where topic_id = ${topicId} and type = 'message'`.execute(database.db);
      expect(rows[0]?.transactions).toBeLessThanOrEqual(4);
      await expectInOrder(topicId);
    });

    race("a refused message does not concern those written with it", rounds, async () => {
      const topicId = await newTopic();
      const outsider = await crowdOf(database).newUser();
      const [first, ...rest] = sends(topicId, 20);
      const refused = sendMessage(outsider, { topicId, message: "not here" });
      const more = sends(topicId, 20);
      expect(await outcomes([...(first ? [first] : []), ...rest, refused, ...more])).toEqual({
        done: 40,
        not_a_member: 1,
      });
      expect((await entries(topicId)).filter(({ message }) => message === "not here")).toEqual([]);
      await expectInOrder(topicId);
    });

    race("a topic is deleted while it is talked in, and nothing is left", rounds, async () => {
      const topicId = await newTopic();
      const talking = sends(topicId, parallel / 2);
      const deleted = deleteTopic(owner, { topicId });
      const counts = await outcomes([...talking, deleted, ...sends(topicId, parallel / 2)]);
      const { done = 0, topic_not_found = 0 } = counts;
      // Nothing else came of it: no deadlock, no broken reference.
      expect(done + topic_not_found).toBe(parallel + 1);
      await expect(deleted).resolves.toMatchObject({ deleted: true });
      expect(await entries(topicId)).toEqual([]);
    });

    race("whoever was removed says nothing afterwards", rounds, async () => {
      const topicId = await newTopic();
      const [victim] = crowd;
      if (!victim) return expect.fail();
      const saying = Array.from({ length: 20 }, (_, i) =>
        sendMessage(victim, { topicId, message: String(i) }),
      );
      const removing = removeMember(owner, { topicId, userId: victim.caller.userId });
      const counts = await outcomes([...saying, removing]);
      expect((counts.done ?? 0) + (counts.not_a_member ?? 0)).toBe(21);
      await removing;
      await expect(sendMessage(victim, { topicId, message: "x" })).rejects.toMatchObject({
        code: "not_a_member",
      });
      await expectInOrder(topicId);
    });

    race("people who come and go over many processes are said to once each", rounds, async () => {
      const topicId = await newTopic();
      const processes = Array.from({ length: 5 }, () => ({
        db: database.db,
        processId: randomUUID(),
        now: () => new Date(),
      }));
      await database.db
        .insertInto("live_processes")
        .values(processes.map(({ processId }) => ({ id: processId, seen_at: new Date() })))
        .execute();
      // All users connect to every process at once, with messages in between.
      const visits = processes.map((process) => ({
        process,
        connections: crowd.map(({ caller }) => ({ id: randomUUID(), key: topicId, userId: caller.userId })),
      }));
      await Promise.all([
        ...sends(topicId, 20),
        ...visits.map(({ process, connections }) => chatConnections.opened(process, connections)),
      ]);
      const said = async () => {
        const { rows } = await sql<{ type: string; people: number; entries: number }>`
          select type, count(distinct user_id)::int as people, count(*)::int as entries
          from chat_messages where topic_id = ${topicId} and type <> 'message' group by type order by type`.execute(
          database.db,
        );
        return rows;
      };
      const all = { people: crowd.length, entries: crowd.length };
      expect(await said()).toEqual([{ type: "join", ...all }]);
      await Promise.all([
        ...sends(topicId, 20),
        ...visits.map(({ process, connections }) => chatConnections.closed(process, connections)),
      ]);
      expect(await said()).toEqual([
        { type: "join", ...all },
        { type: "leave", ...all },
      ]);
      await expectInOrder(topicId);
    });

    race("of many who find a dead process one says that its people left", rounds, async () => {
      const topicId = await newTopic();
      const dead = { db: database.db, processId: randomUUID(), now: () => new Date() };
      const process = { id: dead.processId, seen_at: new Date() };
      await database.db.insertInto("live_processes").values(process).execute();
      const connections = crowd.map(({ caller }) => ({
        id: randomUUID(),
        key: topicId,
        userId: caller.userId,
      }));
      await chatConnections.opened(dead, connections);
      const finds = Array.from({ length: 10 }, () =>
        database.db
          .transaction()
          .execute((trx) => chatConnections.abandoned(trx, [dead.processId], new Date())),
      );
      await Promise.all([...finds, ...sends(topicId, 20)]);
      const left = (await entries(topicId)).filter(({ type }) => type === "leave");
      expect(left).toHaveLength(crowd.length);
      await expectInOrder(topicId);
    });
  });
});
