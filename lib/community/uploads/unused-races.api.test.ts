import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, race } from "@/lib/testing/crowd";
import { claimUploads, sweepUnused } from "./used";

const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "unused_uploads"))("security F19: uploads on $name", ({ open, rounds }) => {
  describe.skipIf(!open)("used and swept at once", () => {
    let database: OpenDatabase;
    let user: MemberContext;
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      user = await crowdOf(database).newUser();
    });
    afterAll(() => database.close());

    /** A file that may be swept any moment. */
    async function unused(): Promise<string> {
      const key = `test/posts/${user.caller.userId}/${randomUUID()}/${randomUUID()}.png`;
      const row = { key, user_id: user.caller.userId, content_type: "image/png", size: 1, stored: true };
      await database.db
        .insertInto("uploads")
        .values({ ...row, created_at: new Date(0) })
        .execute();
      return key;
    }
    const rowOf = (key: string) =>
      database.db.selectFrom("uploads").select(["stored", "used"]).where("key", "=", key).executeTakeFirst();

    race("who is used first stays, though the sweep has seen it unused", rounds, async () => {
      const keys = [await unused(), await unused()];
      let sweep = Promise.resolve();
      await database.db.transaction().execute(async (trx) => {
        await claimUploads(trx, keys, "content");
        sweep = sweepUnused(user);
        // The sweep waits for the row; with one connection it runs after this.
        await sql`select pg_sleep(0.2)`.execute(trx);
      });
      await sweep;
      for (const key of keys) expect(await rowOf(key)).toEqual({ stored: true, used: true });
    });

    race("who is swept first is written nowhere", rounds, async () => {
      const key = await unused();
      const [swept, ...used] = await Promise.allSettled([
        sweepUnused(user),
        ...Array.from({ length: 8 }, () =>
          database.db.transaction().execute((trx) => claimUploads(trx, [key], "content")),
        ),
      ]);
      expect(swept.status).toBe("fulfilled");
      const row = await rowOf(key);
      const claimed = used.filter(({ status }) => status === "fulfilled").length;
      expect(row).toEqual(claimed > 0 ? { stored: true, used: true } : undefined);
      if (claimed < used.length) expect(claimed).toBe(0);
    });
  });
});
