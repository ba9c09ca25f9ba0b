import net from "node:net";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { portOf } from "@/lib/testing/port";
import { createDatabase, type Database } from "./index";
import { PipelinedReads } from "./pipelined";
import { startPostgres, type TestPostgres } from "./testing";

interface Schema {
  item: { id: number; title: string };
}

let postgres: TestPostgres;
let url: string;
let database: Database<Schema>;
let watcher: pg.Client;
beforeAll(async () => {
  const started = await startPostgres();
  if (!started) throw new Error("this machine has no PostgreSQL: apt-get install postgresql");
  postgres = started;
  url = await postgres.createDatabase("pipelined");
  database = await createDatabase<Schema>({ url });
  watcher = new pg.Client({ connectionString: await postgres.createDatabase("watcher") });
  await watcher.connect();
  await sql`create table item (id bigint primary key, title text not null)`.execute(database.db);
  await sql`insert into item select n, 'item ' || n from generate_series(0, 99) n`.execute(database.db);
  // From its third use a statement is prepared, and then it is shared.
  for (let use = 0; use < 3; use += 1) await read(0);
});
afterAll(async () => {
  await watcher?.end();
  await database?.close();
  await postgres?.close();
});

const read = async (id: number, db = database.db) =>
  (await db.selectFrom("item").select("title").where("id", "=", id).executeTakeFirstOrThrow()).title;

/** Ends every connection to the database. @returns how many there were */
async function endAll(): Promise<number> {
  const { rows } = await watcher.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'pipelined'",
  );
  return rows.length;
}

describe("reads outside of transactions", () => {
  it("get their own answers, over four connections at most", async () => {
    await endAll();
    await vi.waitFor(() => read(0));
    const ids = Array.from({ length: 100 }, (_, id) => id);
    expect(await Promise.all(ids.map((id) => read(id)))).toEqual(ids.map((id) => `item ${id}`));
    const { rows } = await watcher.query(
      "select count(*)::int as n from pg_stat_activity where datname = 'pipelined'",
    );
    expect(rows).toEqual([{ n: 4 }]);
  });

  it("do not fail with one among them that fails", async () => {
    const quotient = (by: number) =>
      sql<{ n: number }>`select 10 / ${by}::int as n`.execute(database.db).then(({ rows }) => rows[0]?.n);
    for (let use = 0; use < 3; use += 1) await quotient(1);
    const answers = await Promise.allSettled([5, 0, 2, 0, 1, 5].map((by) => quotient(by)));
    expect(answers.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(answers[1]).toMatchObject({ reason: { code: "22012" } });
  });

  it("do not wait for one that waits for a row", async () => {
    const locked = (id: number) =>
      database.db.selectFrom("item").select("id").where("id", "=", id).forUpdate().execute();
    for (let use = 0; use < 3; use += 1) await locked(1);
    let waiting: Promise<unknown>[] = [];
    await database.db.transaction().execute(async (trx) => {
      await trx.selectFrom("item").select("id").where("id", "=", 1).forUpdate().execute();
      waiting = Array.from({ length: 8 }, () => locked(1));
      await vi.waitFor(async () => {
        const { rows } = await watcher.query("select from pg_stat_activity where wait_event_type = 'Lock'");
        expect(rows).toHaveLength(8);
      });
      expect(await Promise.all([read(1), read(2), read(3), read(4), read(5)])).toHaveLength(5);
    });
    await Promise.all(waiting);
  });

  it("connect again after their connections have ended", async () => {
    expect(await endAll()).toBeGreaterThan(0);
    await vi.waitFor(() => Promise.all(Array.from({ length: 20 }, (_, id) => read(id))));
  });
});

it("a transaction reads on its own connection, and nobody else sees what it wrote", async () => {
  await database.db
    .transaction()
    .execute(async (trx) => {
      await trx.updateTable("item").set({ title: "changed" }).where("id", "=", 7).execute();
      expect(await read(7, trx)).toBe("changed");
      expect(await read(7)).toBe("item 7");
      throw new Error("take it back");
    })
    .catch((error: unknown) => expect(error).toMatchObject({ message: "take it back" }));
  expect(await read(7)).toBe("item 7");
});

describe("pipelined reads", () => {
  it("of one moment are sent as one piece on each connection, and prepared once", async () => {
    const pieces: number[] = [];
    const target = new URL(url);
    const proxy = net.createServer((client) => {
      const server = net.connect(Number(target.port), target.hostname);
      client.on("data", (piece) => pieces.push(piece.length));
      client.pipe(server).pipe(client);
      for (const socket of [client, server]) socket.on("error", () => undefined);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const address = new URL(url);
    address.host = `127.0.0.1:${portOf(proxy)}`;
    const reads = new PipelinedReads({ connectionString: address.toString() });
    const titles = async () => {
      const statements = Array.from({ length: 40 }, (_, id) =>
        reads.query({ name: "title", text: "select title from item where id = $1", values: [id] }),
      );
      return (await Promise.all(statements)).map(({ rows }) => rows[0]);
    };
    await titles();
    pieces.length = 0;
    expect(await titles()).toEqual(Array.from({ length: 40 }, (_, id) => ({ title: `item ${id}` })));
    expect(pieces).toHaveLength(4);
    const prepared = await reads.query({ text: "select name from pg_prepared_statements" });
    expect(prepared.rows).toEqual([{ name: "title" }]);
    await reads.close();
    proxy.close();
  });

  it("fail while the database cannot be reached, and connect when it can", async () => {
    const server = net.createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const reads = new PipelinedReads({
      connectionString: `postgres://nobody@127.0.0.1:${portOf(server)}/none`,
    });
    for (let tries = 0; tries < 2; tries += 1) {
      await expect(reads.query({ text: "select 1" })).rejects.toThrow("Connection terminated");
    }
    await reads.close();
    server.close();
  });
});
