import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { emptyTemplate } from "@/lib/testing/empty";
import { holdSocketOf, linesOf } from "./hold";
import { createDatabase, type Database } from "./index";

interface Schema {
  readonly t: { readonly n: number };
}
let parent: string;
let folder: string;
let database: Database<Schema>;
let db: Kysely<Schema>;
beforeEach(async () => {
  parent = await mkdtemp(path.join(os.tmpdir(), "parley-hold-"));
  folder = path.join(parent, "db");
  database = await createDatabase<Schema>({ url: `pglite:${folder}`, template: await emptyTemplate() });
  db = database.db;
  await sql`create table t (n int)`.execute(db);
});
afterEach(async () => {
  await database.close();
  await rm(parent, { recursive: true, force: true });
});

async function connect() {
  const socket = net.connect(holdSocketOf(folder));
  await once(socket, "connect");
  const lines = linesOf(socket);
  const next = async () => (await lines.next()).value ?? "ended";
  const ask = async (text: string) => {
    socket.write(`${JSON.stringify({ sql: text })}\n`);
    return await next();
  };
  return { socket, next, ask };
}
const insert = () => db.insertInto("t").values({ n: 1 }).execute();
const count = "select count(*) as n from t";

it("runs the holder's statements only, also before scripts that go past the pool, and then what waited", async () => {
  const holder = await connect();
  expect(await holder.next()).toBe('{"rows":[]}');
  const writes = Promise.all([insert(), insert(), database.pglite?.exec("insert into t values (2)")]);
  // Each answer is a turn in which the writes could have run.
  for (let turn = 0; turn < 5; turn += 1) expect(await holder.ask(count)).toBe('{"rows":[{"n":0}]}');
  expect(await holder.ask("checkpoint")).toBe('{"rows":[]}');
  holder.socket.destroy();
  await writes;
  expect(await db.selectFrom("t").select("n").execute()).toHaveLength(3);
});

it("ends a hold whose statement fails, and tells why", async () => {
  const holder = await connect();
  await holder.next();
  expect(await holder.ask("select nothing from nowhere")).toContain('{"error":"relation');
  expect(await holder.next()).toBe("ended");
  await insert();
});

it("does not wait for a holder that has gone before its turn", async () => {
  const first = await connect();
  await first.next();
  const second = await connect();
  second.socket.destroy();
  await once(second.socket, "close");
  first.socket.destroy();
  await insert();
});

it("is open to its own user, gone when the database is closed, and replaces a dead one's socket", async () => {
  expect((await stat(holdSocketOf(folder))).mode & 0o777).toBe(0o600);
  const holder = await connect();
  await holder.next();
  await database.close();
  expect(await holder.next()).toBe("ended");
  await expect(stat(holdSocketOf(folder))).rejects.toThrow("ENOENT");
  await writeFile(holdSocketOf(folder), "");
  database = await createDatabase<Schema>({ url: `pglite:${folder}` });
  db = database.db;
  await (await connect()).next();
});
