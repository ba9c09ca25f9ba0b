import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "./index";
import { StatementNames } from "./prepared";
import { startPostgres, type TestPostgres } from "./testing";

describe("names of statements", () => {
  it("are for texts that come again, the same each time and different for each", () => {
    const names = new StatementNames();
    const uses = (text: string) => Array.from({ length: 4 }, () => names.nameOf(text));
    expect(uses("select a")).toEqual([undefined, undefined, "parley_0", "parley_0"]);
    expect(uses("select b")).toEqual([undefined, undefined, "parley_1", "parley_1"]);
  });

  it("are not for statements whose plans do not last", () => {
    const names = new StatementNames();
    for (const text of [
      "select * from t",
      'select "t".* from t',
      "insert into t values (1) returning *",
      'insert into t values (1) on conflict ("a", "b") where "c" = $1 do nothing',
      "select id from t where words @@ to_tsquery('simple', $1)",
    ]) {
      for (let i = 0; i < 5; i += 1) expect(names.nameOf(text)).toBeUndefined();
    }
    for (let i = 0; i < 2; i += 1) names.nameOf("select count(*) from t");
    expect(names.nameOf("select count(*) from t")).toBeDefined();
  });

  it("tell plain reads from statements that change something, wait for a lock or concern their session", () => {
    const names = new StatementNames();
    const isRead = (text: string) => {
      for (let use = 0; use < 2; use += 1) names.nameOf(text);
      return names.isRead(names.nameOf(text) ?? "");
    };
    expect(isRead('select "updated_at" from "sessions" where "id" = $1')).toBe(true);
    expect(isRead("with t as (select 1 as a) select a from t where a = $1")).toBe(true);
    for (const text of [
      "update t set a = $1",
      "insert into t values ($1)",
      "select id from t where id = $1 for update",
      "select id from t where id = $1 for no key update of t",
      "select id from t where id = $1 for key share of t",
      "with t as (insert into u values ($1) returning id) select id from t",
      "select pg_advisory_lock($1)",
      "select set_config('search_path', $1, false)",
      "select nextval($1)",
    ]) {
      expect(isRead(text), text).toBe(false);
    }
  });

  it("are no more than a connection can keep", () => {
    const names = new StatementNames();
    const given = new Set<string | undefined>();
    for (let i = 0; i < 1_000; i += 1) {
      for (let use = 0; use < 3; use += 1) given.add(names.nameOf(`select ${i}`));
    }
    given.delete(undefined);
    expect(given.size).toBe(400);
    expect(names.nameOf("select 1")).toBe("parley_1");
  });
});

interface Schema {
  item: { id: number; title: string };
}

describe("prepared statements on PostgreSQL", () => {
  let postgres: TestPostgres;
  let url: string;
  const opened: Database<Schema>[] = [];
  async function open(address: string) {
    const database = await createDatabase<Schema>({ url: address, poolSize: 1 });
    opened.push(database);
    return database.db;
  }
  beforeAll(async () => {
    const started = await startPostgres();
    if (!started) throw new Error("this machine has no PostgreSQL: apt-get install postgresql");
    postgres = started;
    url = await postgres.createDatabase("prepared");
    const db = await open(url);
    await sql`create table item (id bigint primary key, title text not null)`.execute(db);
    await sql`insert into item values (1, 'one')`.execute(db);
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await postgres?.close();
  });

  const texts = async (db: Awaited<ReturnType<typeof open>>) =>
    (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows;

  it("are made of statements with values, and survive a new column", async () => {
    const db = await open(url);
    const one = () => db.selectFrom("item").select(["id", "title"]).where("id", "=", 1).execute();
    const all = () => db.selectFrom("item").selectAll().where("id", "=", 1).execute();
    const change = () => db.updateTable("item").set({ title: "one" }).where("id", "=", 1).execute();
    for (let i = 0; i < 8; i += 1) await Promise.all([one(), all(), change()]);
    // Reads are prepared on connections of their own (pipelined.test.ts).
    expect((await texts(db)).map(({ statement }) => statement)).toEqual([
      'update "item" set "title" = $1 where "id" = $2',
    ]);
    await sql`alter table item add column more text`.execute(await open(url));
    expect(await one()).toEqual([{ id: 1, title: "one" }]);
    expect(await all()).toEqual([{ id: 1, title: "one", more: null }]);
  });

  it("do not lose the partial index that a conflict is found by", async () => {
    const db = await open(url);
    await sql`create unique index item_open on item (title) where id > 100`.execute(db);
    for (let i = 0; i < 12; i += 1) {
      await db
        .insertInto("item")
        .values({ id: 101 + i, title: "once" })
        .onConflict((conflict) => conflict.column("title").where("id", ">", 100).doNothing())
        .execute();
    }
    expect(await db.selectFrom("item").select("id").where("title", "=", "once").execute()).toEqual([
      { id: 101 },
    ]);
  });

  it("are not made where the URL says so, for a pooler that has none", async () => {
    const db = await open(`${url}?prepare=off`);
    for (let i = 0; i < 8; i += 1) await db.selectFrom("item").select("id").where("id", "=", 1).execute();
    expect(await texts(db)).toEqual([]);
  });
});
