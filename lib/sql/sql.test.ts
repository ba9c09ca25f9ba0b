import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Kysely, sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { emptyTemplate } from "@/lib/testing/empty";
import { createDatabase, type Database, type DatabaseOptions, FolderInUseError, migrate } from "./index";
import { freePort, hostedUrl, startPostgres, startWebSocketBridge } from "./testing";

// Each PGlite starts a database engine, and one case a second process: slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Schema {
  item: { id: number; title: string };
}

const migrations = {
  "001_item": {
    kind: "expand" as const,
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("item")
        .addColumn("id", "bigint", (c) => c.primaryKey())
        .addColumn("title", "text", (c) => c.notNull())
        .execute();
      await sql`create index item_title on item using gin (title gin_trgm_ops)`.execute(db);
    },
  },
};

let folder: string;
let opened: Database<Schema>[] = [];

async function open(options: DatabaseOptions): Promise<Database<Schema>> {
  const database = await createDatabase<Schema>(options);
  opened.push(database);
  return database;
}

async function migrateItems(database: Database<Schema>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(database.db);
  await migrate(database.db, { program: "test", migrations });
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parley-sql-"));
});

afterEach(async () => {
  for (const database of opened) await database.close().catch(() => undefined);
  opened = [];
  await rm(folder, { recursive: true, force: true });
});

/** What must hold for every kind of database. */
async function expectNormalNumbers({ db }: Database<Schema>): Promise<void> {
  const largest = Number.MAX_SAFE_INTEGER;
  await db.insertInto("item").values({ id: largest, title: "last" }).execute();
  await db.insertInto("item").values({ id: 1, title: "first" }).execute();
  const rows = await db.selectFrom("item").selectAll().orderBy("id").execute();
  expect(rows).toEqual([
    { id: 1, title: "first" },
    { id: largest, title: "last" },
  ]);
  const { rows: sums } = await sql<{ n: number; total: number }>`
    select count(*) as n, sum(id::numeric) filter (where id = 1) as total from item`.execute(db);
  expect(sums).toEqual([{ n: 2, total: 1 }]);
  await expect(sql`select 9007199254740993::int8 as too_large`.execute(db)).rejects.toThrow(/safe integer/);
}

describe("pglite", () => {
  it("gives int8 and numeric as numbers and refuses one that would be rounded", async () => {
    const database = await open({ url: "pglite:memory", template: await emptyTemplate() });
    await migrateItems(database);
    await expectNormalNumbers(database);
  });

  it("keeps its rows and its trigram index over a reopening", async () => {
    const url = `pglite:${path.join(folder, "db")}`;
    const first = await open({ url });
    await migrateItems(first);
    await first.db.insertInto("item").values({ id: 7, title: "parley" }).execute();
    await first.close();
    const second = await open({ url });
    await migrateItems(second);
    const found = await sql<{ id: number }>`select id from item where title % 'parly'`.execute(second.db);
    expect(found.rows).toEqual([{ id: 7 }]);
  });

  it("shares one instance inside a process and closes it with the last user", async () => {
    const url = `pglite:${path.join(folder, "db")}`;
    const template = await emptyTemplate();
    const [a, b] = await Promise.all([open({ url, template }), open({ url, template })]);
    expect(a.pglite).toBe(b.pglite);
    await a.close();
    await a.close();
    expect((await sql`select 1 as one`.execute(b.db)).rows).toEqual([{ one: 1 }]);
    await b.close();
    expect(b.pglite?.closed).toBe(true);
  });

  it("refuses a folder that another living process has, and takes it over once that one was killed", async () => {
    const url = `pglite:${path.join(folder, "db")}`;
    await (await open({ url, template: await emptyTemplate() })).close();
    const holder = await holdInOtherProcess(url);
    await expect(createDatabase({ url })).rejects.toThrow(FolderInUseError);
    await expect(createDatabase({ url })).rejects.toThrow(`process ${holder.pid}`);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    const database = await open({ url });
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
  });
});

async function holdInOtherProcess(url: string): Promise<ChildProcess> {
  const program = `import { createDatabase } from "${path.join(import.meta.dirname, "index.ts")}";
    await createDatabase({ url: ${JSON.stringify(url)} }); console.log("open"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (!child.stdout) throw new Error("no output of the other process");
  await once(child.stdout, "data");
  return child;
}

const postgres = await startPostgres();
afterAll(() => postgres?.close());
const name = postgres ? "PostgreSQL" : "PostgreSQL (skipped: no `postgres` program on this machine)";

it("payments F11: an embedded database is for its own user only, also in a folder that was open before", async () => {
  const database = path.join(folder, "db");
  await mkdir(database);
  await chmod(database, 0o755);
  await open({ url: `pglite:${database}`, template: await emptyTemplate() });
  expect((await stat(database)).mode & 0o077).toBe(0);
});

it.each(["", "vercel+"])("says with an Error that nothing listens at a %spostgres:// URL", async (kind) => {
  const port = await freePort();
  const plain = `postgresql://parley@localhost:${port}/nowhere`;
  const { db } = await open({ url: kind ? hostedUrl(plain, port) : plain });
  const refused = await sql`select 1`.execute(db).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Error);
  expect(refused).toMatchObject({ code: "ECONNREFUSED" });
});

describe.skipIf(!postgres)(name, () => {
  const baseUrl = postgres?.url ?? "";

  it("gives the same numbers through pg", async () => {
    const database = await open({ url: (await postgres?.createDatabase("numbers")) ?? baseUrl });
    await migrateItems(database);
    await expectNormalNumbers(database);
  });

  it("gives the same numbers through @vercel/postgres", async () => {
    const url = (await postgres?.createDatabase("vercel")) ?? baseUrl;
    const bridge = await startWebSocketBridge(url);
    const database = await open({ url: hostedUrl(url, bridge.port) });
    await migrateItems(database);
    await expectNormalNumbers(database);
    await database.close();
    await bridge.close();
  });
});
