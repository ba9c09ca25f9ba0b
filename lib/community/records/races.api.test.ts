import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "@/db/client";
import { openRecorder } from "@/lib/chain/recorder";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { assure, fullOrShort } from "@/lib/testing/assure";
import { crowdOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import { testDeployment } from "@/lib/testing/deployment";
import { type RecordWorld, startRecordWorld } from "@/lib/testing/records";
import { memoryDatabase } from "@/lib/testing/template";
import { createPost, createTopic, recordPost } from "../index";
import { general } from "../testing";
import { sweepRecords } from "./settle";

/**
 * What must hold when a hundred record at once, through two processes with one wallet. On PGlite (one connection, one
 * process) and, where the machine has it, on a PostgreSQL; the short form leaves PGlite out where there is the other.
 */
const postgres = await startPostgres();
let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(async () => {
  await world.stop();
  await postgres?.close();
});

const arenas = [
  ...(assure || !postgres ? [{ name: "PGlite", rounds: fullOrShort(20, 1) }] : []),
  {
    name: postgres ? "PostgreSQL" : "PostgreSQL (skipped: no `postgres` program on this machine)",
    rounds: fullOrShort(20, 1),
  },
];

describe.each(arenas)("$name", ({ name, rounds }) => {
  describe.skipIf(name !== "PGlite" && !postgres)("records", () => {
    /** As two processes see it. */
    let databases: [OpenDatabase, OpenDatabase];
    let author: MemberContext;
    let crowd: readonly MemberContext[];
    let topicId: string;
    let newUser: () => Promise<MemberContext>;

    beforeAll(async () => {
      if (name === "PGlite") {
        const database = await memoryDatabase();
        databases = [database, database];
      } else {
        const url = (await postgres?.createDatabase("records")) ?? expect.fail();
        databases = [await openDatabase({ url }), await openDatabase({ url })];
      }
      const people = crowdOf(databases[0]);
      newUser = people.newUser;
      author = await newUser();
      crowd = await people.newUsers(parallel);
      topicId = (await createTopic(author, { title: "T", categoryId: general, visibility: "public" })).topic
        .id;
      await join(crowd);
    });
    afterAll(async () => {
      const [one, two] = databases;
      await one.close();
      if (two !== one) await two.close();
    });

    async function join(people: readonly MemberContext[]) {
      for (const { caller } of people) {
        await sql`insert into memberships (topic_id, user_id, role) values (${topicId}, ${caller.userId}, 'member')`.execute(
          databases[0].db,
        );
      }
    }

    async function newPosts(count: number): Promise<string[]> {
      const ids: string[] = [];
      for (let i = 0; i < count; i += 1) {
        ids.push((await createPost(author, { topicId, title: "P", content: `<p>${i}</p>` })).post.id);
      }
      await sql`update posts set created_at = created_at - interval '1 hour' where id in (${sql.join(ids)})`.execute(
        databases[0].db,
      );
      return ids;
    }

    /** An unused wallet, and contexts of two processes that have its key. */
    async function processes() {
      const { key, address } = await world.wallet(10n ** 20n);
      const { deployment } = world.options(key);
      const config = { recordKey: key, userIdSecret: new Uint8Array(32) };
      const options = { pollMs: 100, waitMs: 60_000 };
      const services = databases.map(({ db }) => ({
        db,
        live: author.live,
        now: author.now,
        changed: author.changed,
        recorder: openRecorder({ db, deployment: testDeployment(deployment), config, options }),
      }));
      return {
        address,
        /** Half of the calls go through each process. */
        as: (user: MemberContext, i: number): MemberContext => ({ ...user, ...services[i % 2] }),
        sweep: () => Promise.all(services.map((each) => sweepRecords(each))),
      };
    }

    /** That every number was used, once, and that chain, rows and counters say the same. */
    async function expectAgreement(address: `0x${string}`, posts: readonly string[], records: number) {
      const { db } = databases[0];
      const events = await world.events(address);
      expect(events.length).toBe(records);
      expect(new Set(events.map((event) => `${event.postIdHash}${event.recorderHash}`)).size).toBe(records);
      const journal = await db
        .selectFrom("chain_transactions")
        .select(["nonce", "state"])
        .where("wallet", "=", address)
        .orderBy("nonce")
        .execute();
      expect(journal).toEqual(events.map((_, nonce) => ({ nonce, state: "succeeded" })));
      expect(await world.control.getTransactionCount({ address })).toBe(records);
      const { rows } = await sql<{ counted: number; confirmed: number; others: number }>`
        select (select sum(record_count)::int from posts where id in (${sql.join(posts)})) as counted,
          count(*) filter (where status = 'confirmed')::int as confirmed,
          count(*) filter (where status <> 'confirmed')::int as others
        from records where post_id in (${sql.join(posts)})`.execute(db);
      expect(rows).toEqual([{ counted: records, confirmed: records, others: 0 }]);
    }
    async function usedBy({ caller }: MemberContext): Promise<number> {
      const days = databases[0].db.selectFrom("record_days").select("count");
      return (await days.where("user_id", "=", caller.userId).executeTakeFirst())?.count ?? 0;
    }

    race("one person records a hundred posts at once: three are", rounds, async () => {
      const { address, as } = await processes();
      const user = await newUser();
      await join([user]);
      const posts = await newPosts(parallel);
      const calls = posts.map((postId, i) => recordPost(as(user, i), { postId }));
      expect(await outcomes(calls)).toEqual({ done: 3, record_limit: parallel - 3 });
      expect(await usedBy(user)).toBe(3);
      await expectAgreement(address, posts, 3);
    });

    race("one person records one post a hundred times at once: it is one record", rounds, async () => {
      const { address, as } = await processes();
      const user = await newUser();
      await join([user]);
      const posts = await newPosts(1);
      const [postId = expect.fail()] = posts;
      const calls = Array.from({ length: parallel }, (_, i) => recordPost(as(user, i), { postId }));
      expect(await outcomes(calls)).toEqual({ done: 1, record_already: parallel - 1 });
      expect(await usedBy(user)).toBe(1);
      await expectAgreement(address, posts, 1);
    });

    race(
      "a hundred people record three posts at once: all are, and no number is missing",
      rounds,
      async () => {
        const { address, as, sweep } = await processes();
        await sql`delete from record_days`.execute(databases[0].db);
        const posts = await newPosts(3);
        const calls = crowd.map((user, i) => recordPost(as(user, i), { postId: posts[i % 3] ?? "" }));
        // Concurrent sweeps of both processes.
        const sweeping = Promise.all([sweep(), sweep()]);
        expect(await outcomes(calls)).toEqual({ done: parallel });
        await sweeping;
        await expectAgreement(address, posts, parallel);
      },
    );

    it("answers of a record say the count after it", async () => {
      const { as } = await processes();
      await sql`delete from record_days`.execute(databases[0].db);
      const [postId = expect.fail()] = await newPosts(1);
      const answers = await Promise.all(
        crowd.slice(0, 10).map((user, i) => recordPost(as(user, i), { postId })),
      );
      expect(answers.map(({ record }) => record.status)).toEqual(Array(10).fill("confirmed"));
      expect(Math.max(...answers.map(({ record }) => record.recordCount))).toBe(10);
    });
  });
});
