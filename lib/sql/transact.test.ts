import { describe, expect, it, vi } from "vitest";
import type { Db } from "@/db/schema";
import { memoryDatabase } from "@/lib/testing/template";
import { transact } from "./transact";

const coded = (code: string) => Object.assign(new Error("ended"), { code });

async function withDatabase(work: (db: Db) => Promise<void>) {
  const { db, close } = await memoryDatabase();
  try {
    await work(db);
  } finally {
    await close();
  }
}

describe("transact", () => {
  it("runs again after a deadlock, and keeps nothing of what was ended", async () => {
    await withDatabase(async (db) => {
      const count = async () =>
        (await db.selectFrom("removed_addresses").select("hash").execute()).map(({ hash }) => hash);
      let runs = 0;
      const result = await transact(db, async (trx) => {
        runs += 1;
        await trx
          .insertInto("removed_addresses")
          .values({ hash: `run ${runs}`, removed_at: new Date() })
          .execute();
        if (runs < 3) throw coded("40P01");
        return runs;
      });
      expect([result, await count()]).toEqual([3, ["run 3"]]);
    });
  });

  it("gives up after four times, and at once for anything else", async () => {
    await withDatabase(async (db) => {
      for (const [code, times] of [
        ["40P01", 4],
        ["23505", 1],
      ] as const) {
        const work = vi.fn(async () => {
          throw coded(code);
        });
        await expect(transact(db, work)).rejects.toMatchObject({ code });
        expect(work).toHaveBeenCalledTimes(times);
      }
    });
  });
});
