import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { emptyTemplate } from "@/lib/testing/empty";
import { createDatabase, type Database } from "./index";
import { type Migration, type Migrations, MigrationsRefusedError, migrate } from "./migrate";
import { startPostgres } from "./testing";

// Each PGlite starts a database engine: slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Schema {
  item: { id: number };
  test_migration: { name: string; timestamp: string; kind: string | null };
}

function statement(kind: Migration["kind"], text: string): Migration {
  return {
    kind,
    async up(db) {
      await sql.raw(text).execute(db);
    },
  };
}

const items = statement("expand", "create table item (id bigint primary key)");
const titles = statement("expand", "alter table item add column title text");
const previous: Migrations = { "001_items": items };
const next: Migrations = { ...previous, "002_titles": titles };
const release = (migrations: Migrations, renamed = {}) => ({ program: "test", migrations, renamed });

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const backends: [string, () => Promise<string>][] = [["PGlite", async () => "pglite:memory"]];
let made = 0;
if (postgres) {
  backends.push(["PostgreSQL", () => postgres.createDatabase(`migrate_${++made}`)]);
}
if (!postgres) it.skip("PostgreSQL: no `postgres` program on this machine", () => undefined);

let opened: Database<Schema>[] = [];
afterEach(async () => {
  for (const database of opened) await database.close();
  opened = [];
});

async function open(url: string, poolSize?: number): Promise<Kysely<Schema>> {
  const database = await createDatabase<Schema>({ url, template: await emptyTemplate(), poolSize });
  opened.push(database);
  return database.db;
}

const recorded = (db: Kysely<Schema>) =>
  db.selectFrom("test_migration").select(["name", "kind"]).orderBy("name").execute();

describe.each(backends)("migrations on %s", (_, makeUrl) => {
  let db: Kysely<Schema>;
  beforeEach(async () => {
    db = await open(await makeUrl());
  });

  it("run in the order of their names, each once, and leave their kinds", async () => {
    const drop = statement("contract", "alter table item drop column title");
    const all = { "003_drop_titles": drop, ...next };
    await migrate(db, release(all));
    await migrate(db, release(all));
    expect(await recorded(db)).toEqual([
      { name: "001_items", kind: "expand" },
      { name: "002_titles", kind: "expand" },
      { name: "003_drop_titles", kind: "contract" },
    ]);
  });

  it("of a later release do not keep the previous one from running, if they only expand", async () => {
    await migrate(db, release(next));
    await migrate(db, release(previous));
    expect(await recorded(db)).toHaveLength(2);
  });

  it("of a later release stop the previous one, if one contracts, by a sentence that names it", async () => {
    await migrate(db, release({ ...next, "003_drop": statement("contract", "drop table item") }));
    await expect(migrate(db, release(previous))).rejects.toThrow(
      /test has migrations .* cannot run with: 003_drop \(contract\)\. .*docs\/upgrade\.md/,
    );
  });

  it("of another release without a recorded kind stop this one", async () => {
    await migrate(db, release(previous));
    await db
      .insertInto("test_migration")
      .values({ name: "002_other", timestamp: "now", kind: null })
      .execute();
    await expect(migrate(db, release(previous))).rejects.toThrow("002_other (of unknown kind)");
  });

  it("that come before one that ran do not run", async () => {
    await migrate(db, release({ "001_items": items, "003_titles": titles }));
    const late = { ...previous, "002_late": statement("expand", "create table late (id int)") };
    await expect(migrate(db, release(late))).rejects.toThrow(MigrationsRefusedError);
    await expect(migrate(db, release(late))).rejects.toThrow("lacks 002_late");
  });

  it("that fail leave nothing of themselves, and what ran before them", async () => {
    const wrong = statement("expand", "create table half (id int); select no_such_column");
    await expect(migrate(db, release({ ...previous, "002_wrong": wrong }))).rejects.toThrow(
      "migration 002_wrong of test failed",
    );
    expect(await recorded(db)).toEqual([{ name: "001_items", kind: "expand" }]);
    expect((await sql`select to_regclass('half') as half`.execute(db)).rows).toEqual([{ half: null }]);
  });

  it("that Kysely's Migrator ran, under earlier names, get new names and kinds, and it still accepts them", async () => {
    const migrator = (migrations: Migrations) =>
      new Migrator({
        db,
        provider: { getMigrations: async () => ({ ...migrations }) },
        migrationTableName: "test_migration",
        migrationLockTableName: "test_migration_lock",
      });
    expect((await migrator({ "001_old": items }).migrateToLatest()).error).toBeUndefined();
    await migrate(db, release(next, { "001_old": "001_items" }));
    expect(await recorded(db)).toEqual([
      { name: "001_items", kind: "expand" },
      { name: "002_titles", kind: "expand" },
    ]);
    expect((await migrator(next).migrateToLatest()).error).toBeUndefined();
  });
});

describe.skipIf(!postgres)("several processes on PostgreSQL", () => {
  const many = async () => {
    const url = (await postgres?.createDatabase(`many_${++made}`)) ?? expect.fail();
    const [first = expect.fail(), ...rest] = await Promise.all(Array.from({ length: 6 }, () => open(url, 2)));
    return { first, rest, all: [first, ...rest] };
  };

  it("migrate once when all start at once, also where earlier names are recorded", async () => {
    const { first, all } = await many();
    await migrate(first, release({ "001_old": items }));
    await Promise.all(all.map((db) => migrate(db, release(next, { "001_old": "001_items" }))));
    expect((await recorded(first)).map(({ name }) => name)).toEqual(["001_items", "002_titles"]);
  });

  it("of the previous release start while a later one migrates", async () => {
    const { first, rest } = await many();
    await migrate(first, release(previous));
    const [other = expect.fail()] = rest;
    const slow: Migration = {
      kind: "expand",
      async up(trx) {
        await sql`create table other (id int)`.execute(trx);
        await migrate(other, release(previous));
      },
    };
    await migrate(first, release({ ...previous, "002_slow": slow }));
    expect(await recorded(first)).toHaveLength(2);
  });

  it("keep a table that is in use: the migration lets them go on, and comes back when it is free", async () => {
    const { first, rest } = await many();
    await migrate(first, release(previous));
    const [reader = expect.fail(), writer = expect.fail()] = rest;
    let refusals = 0;
    const patient: Migration = {
      kind: "expand",
      async up(trx) {
        await titles.up(trx).catch((error: unknown) => {
          refusals += 1;
          if (refusals === 2) free();
          throw error;
        });
      },
    };
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    const using = reader.transaction().execute(async (trx) => {
      await trx.selectFrom("item").selectAll().execute();
      await freed;
    });
    // Waits until the table is read.
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_locks where relation = 'item'::regclass`.execute(writer);
      expect(rows).toHaveLength(1);
    });
    const all = { ...previous, "002_titles": patient };
    await migrate(first, release(all), { timeoutMs: 50, attempts: 100 });
    await using;
    expect(refusals).toBeGreaterThanOrEqual(2);
    expect(await recorded(first)).toHaveLength(2);
  });

  it("that keep a table too long stop the migration, by a sentence that says what to do", async () => {
    const { first, rest } = await many();
    await migrate(first, release(previous));
    const [reader = expect.fail()] = rest;
    await reader.transaction().execute(async (trx) => {
      await trx.selectFrom("item").selectAll().execute();
      await expect(migrate(first, release(next), { timeoutMs: 20, attempts: 2 })).rejects.toThrow(
        "migration 002_titles of test could not lock a table that others use; migrate again when",
      );
    });
    await migrate(first, release(next));
  });
});
