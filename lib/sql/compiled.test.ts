import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { emptyTemplate } from "@/lib/testing/empty";
import { compiledQuery, type PlaceOf } from "./compiled";
import { createDatabase, type Database } from "./index";

// PGlite starts a database engine: slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Schema {
  item: { id: number; title: string; owner: string | null };
}
type Values = { readonly title: string; readonly owner: string | null };

describe("a compiled query", () => {
  let database: Database<Schema>;
  let built = 0;
  beforeAll(async () => {
    database = await createDatabase<Schema>({ url: "pglite:memory", template: await emptyTemplate() });
    await sql`create table item (id int primary key, title text not null, owner text)`.execute(database.db);
    await database.db
      .insertInto("item")
      .values([
        { id: 1, title: "a", owner: "u1" },
        { id: 2, title: "a", owner: null },
        { id: 3, title: "b", owner: "u1" },
      ])
      .execute();
  });
  afterAll(async () => await database.close());
  beforeEach(() => {
    built = 0;
  });

  const titled = () =>
    compiledQuery(
      (db: Kysely<Schema>, value: PlaceOf<Values>, ofOwner: boolean, direction: "asc" | "desc") => {
        built += 1;
        return db
          .selectFrom("item")
          .select("id")
          .where("title", "=", value("title"))
          .$if(ofOwner, (query) => query.where("owner", "is not distinct from", value("owner")))
          .orderBy("id", direction)
          .compile();
      },
    );

  it("runs with the values of each call, and is built once", async () => {
    const query = titled();
    const ids = async (values: Values) => (await query(database.db, values, true, "asc")).map(({ id }) => id);
    expect(await ids({ title: "a", owner: "u1" })).toEqual([1]);
    expect(await ids({ title: "a", owner: null })).toEqual([2]);
    expect(await ids({ title: "b", owner: "u1" })).toEqual([3]);
    expect(built).toBe(1);
  });

  it("is another query for each shape", async () => {
    const query = titled();
    const values = { title: "a", owner: "u1" };
    const ids = async (...shape: [boolean, "asc" | "desc"]) =>
      (await query(database.db, values, ...shape)).map(({ id }) => id);
    expect(await ids(false, "asc")).toEqual([1, 2]);
    expect(await ids(false, "desc")).toEqual([2, 1]);
    expect(await ids(true, "asc")).toEqual([1]);
    expect(await ids(false, "asc")).toEqual([1, 2]);
    expect(built).toBe(3);
  });

  it("sends its own constants, and a value as often as it is named", async () => {
    const query = compiledQuery((db: Kysely<Schema>, value: PlaceOf<{ readonly by: number }>) =>
      sql<{ sum: number }>`select ${value("by")}::int + ${40}::int + ${value("by")}::int as sum`.compile(db),
    );
    expect(await query(database.db, { by: 1 })).toEqual([{ sum: 42 }]);
    expect(await query(database.db, { by: 2 })).toEqual([{ sum: 44 }]);
  });

  it("runs inside a transaction", async () => {
    const query = titled();
    const values = { title: "new", owner: null };
    await database.db.transaction().execute(async (trx) => {
      await trx
        .insertInto("item")
        .values({ id: 4, ...values })
        .execute();
      expect(await query(trx, values, false, "asc")).toEqual([{ id: 4 }]);
      await trx.deleteFrom("item").where("id", "=", 4).execute();
    });
    expect(await query(database.db, values, false, "asc")).toEqual([]);
  });
});
