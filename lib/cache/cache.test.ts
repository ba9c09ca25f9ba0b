import { randomUUID } from "node:crypto";
import { createClient } from "@redis/client";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "@/db/client";
import { startPostgres } from "@/lib/sql/testing";
import { memoryDatabase } from "@/lib/testing/template";
import { freePort } from "@/scripts/stack/ports";
import { embeddedCache } from "./embedded";
import type { Cache } from "./index";
import { openCache } from "./open";
import { redisCache } from "./redis";
import { hasRedis, startRedis, startRestBridge, type TestRedis, type TestRestBridge } from "./testing";
import { upstashCache } from "./upstash";

/** What every back end must do. */
function behavesAsCache(open: () => Promise<Cache>): void {
  let cache: Cache;
  // Two suites share one Redis.
  const key = () => `key:${randomUUID()}`;
  const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  beforeAll(async () => {
    cache = await open();
  });
  afterAll(async () => await cache.close());

  it("returns what was set, unchanged, and null for what was not", async () => {
    const k = key();
    expect(await cache.get(k)).toBeNull();
    for (const value of ["plain", "", '{"json":1}', "42", "null", 'quo"te', "ünïcode 🎉"]) {
      expect(await cache.set(k, value, 60)).toBe(true);
      expect(await cache.get(k)).toBe(value);
    }
  });

  it("forgets after the given seconds, for every way of asking", async () => {
    const [a, c] = [key(), key()];
    await Promise.all([cache.set(a, "x", 1), cache.increment(c, 1)]);
    await later(1_200);
    expect(await cache.get(a)).toBeNull();
    expect(await cache.set(a, "y", 60, true)).toBe(true);
    expect(await cache.increment(c, 60)).toMatchObject({ value: 1 });
  });

  it("set renews the expiry", async () => {
    const k = key();
    await cache.set(k, "x", 1);
    await cache.set(k, "y", 60);
    await later(1_200);
    expect(await cache.get(k)).toBe("y");
  });

  it("sets if absent once, also of 50 at once", async () => {
    const k = key();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => cache.set(k, String(i), 60, true)),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await cache.get(k)).toBe(String(answers.indexOf(true)));
  });

  it("deletes; deleting nothing is nothing", async () => {
    const k = key();
    await cache.set(k, "x", 60);
    await cache.delete(k);
    await cache.delete(k);
    expect(await cache.get(k)).toBeNull();
  });

  it("counts 50 increments as 50, and keeps the window of the first", async () => {
    const k = key();
    const first = await cache.increment(k, 60);
    expect(first).toEqual({ value: 1, expiresInSeconds: 60 });
    const values = await Promise.all(Array.from({ length: 50 }, () => cache.increment(k, 1_000)));
    expect(values.map(({ value }) => value).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 2),
    );
    for (const { expiresInSeconds } of values) expect(expiresInSeconds).toBeLessThanOrEqual(60);
  });

  it("adds more than one; the first addition sets the expiry", async () => {
    const k = key();
    expect(await cache.increment(k, 60, 30)).toEqual({ value: 30, expiresInSeconds: 60 });
    const values = await Promise.all([cache.increment(k, 1_000, 5), cache.increment(k, 1_000, 5)]);
    expect(values.map(({ value }) => value).toSorted((a, b) => a - b)).toEqual([35, 40]);
    for (const { expiresInSeconds } of values) expect(expiresInSeconds).toBeLessThanOrEqual(60);
  });

  it("tells every subscriber of a channel what is published in it, unchanged and in order", async () => {
    const [channel, other] = [key(), key()];
    const [a, b, c] = [new Inbox(), new Inbox(), new Inbox()];
    await cache.subscribe(channel, a.take);
    await cache.subscribe(channel, b.take);
    await cache.subscribe(other, c.take);
    const messages = ['{"json":1}', "a,b,,c", "ünïcode 🎉", " ", "x".repeat(7_000)];
    for (const message of messages) await cache.publish(channel, message);
    await cache.publish(other, "end");
    await Promise.all([a.until(messages), b.until(messages), c.until(["end"])]);
  });

  it("tells nobody who ended their subscription, and somebody who came back", async () => {
    const channel = key();
    const [a, b] = [new Inbox(), new Inbox()];
    const endA = await cache.subscribe(channel, a.take);
    const endB = await cache.subscribe(channel, b.take);
    await Promise.all([endA(), endA()]);
    await cache.publish(channel, "one");
    await b.until(["one"]);
    // Ended and begun at once: the last wish counts, and nothing comes twice.
    const [, again] = await Promise.all([endB(), cache.subscribe(channel, a.take)]);
    await cache.publish(channel, "two");
    await a.until(["two"]);
    await again();
    await cache.publish(channel, "three");
    await cache.subscribe(channel, b.take);
    await cache.publish(channel, "four");
    await b.until(["one", "four"]);
    expect(a.got).toEqual(["two"]);
  });

  it("refuses names and messages that not every back end takes", async () => {
    await expect(cache.publish("a", "x".repeat(7_001))).rejects.toThrow("too long");
    await expect(cache.publish("a", "two\nlines")).rejects.toThrow("line breaks");
    await expect(cache.publish("a b", "x")).rejects.toThrow("not a valid channel name");
    await expect(cache.subscribe("a".repeat(51), () => undefined)).rejects.toThrow(
      "not a valid channel name",
    );
  });
}

/** What a subscriber was told. */
class Inbox {
  readonly got: string[] = [];
  #wake = () => {};
  readonly take = (message: string) => {
    this.got.push(message);
    this.#wake();
  };
  readonly restored = () => this.take("restored");

  /** Waits until there are as many, and expects that they are these. */
  async until(expected: readonly string[]): Promise<void> {
    while (this.got.length < expected.length) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    expect(this.got).toEqual(expected);
  }
}

describe("embedded", () => {
  behavesAsCache(async () => {
    const database = await memoryDatabase();
    return owning(embeddedCache(database), database);
  });
});

const postgres = await startPostgres();
afterAll(() => postgres?.close());
const withoutPostgres = postgres ? "" : " (skipped: no `postgres` program on this machine)";
const openPostgres = async (name: string) =>
  await openDatabase({ url: (await postgres?.createDatabase(name)) ?? expect.fail() });

describe.skipIf(!postgres)(`embedded, in PostgreSQL${withoutPostgres}`, () => {
  behavesAsCache(async () => {
    const database = await openPostgres("cache");
    return owning(embeddedCache(database), database);
  });

  it("reaches other processes, and says when it may have missed something", async () => {
    const database = await openPostgres("messages");
    const [here, there] = [embeddedCache(database), embeddedCache(database)];
    const inbox = new Inbox();
    await there.subscribe("news", inbox.take, inbox.restored);
    await here.publish("news", "one");
    await inbox.until(["one"]);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`.execute(database.db);
    await inbox.until(["one", "restored"]);
    await here.publish("news", "two");
    await inbox.until(["one", "restored", "two"]);
    await Promise.all([here.close(), there.close()]);
    await database.close();
  });
});

/** A cache that closes its database with it. */
function owning(cache: Cache, database: OpenDatabase): Cache {
  const close = async () => {
    await cache.close();
    await database.close();
  };
  return { ...cache, close };
}

it("says which URLs it knows", async () => {
  const database = await memoryDatabase();
  await expect(openCache("memcached://localhost", database)).rejects.toThrow("CACHE_URL must be");
  await database.close();
});

const skipped = hasRedis ? "" : " (skipped: no `redis-server` program on this machine)";

let redis: TestRedis | undefined;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.close());
const redisUrl = () => redis?.url ?? expect.fail("redis did not start");

describe.skipIf(!hasRedis)(`redis${skipped}`, () => {
  behavesAsCache(() => redisCache(redisUrl()));

  it("refuses to start when nobody answers", async () => {
    const port = await freePort();
    await expect(redisCache(`redis://127.0.0.1:${port}`)).rejects.toThrow();
  });

  it("reaches other processes, and says when it may have missed something", async () => {
    const [here, there] = await Promise.all([redisCache(redisUrl()), redisCache(redisUrl())]);
    const inbox = new Inbox();
    await there.subscribe("news", inbox.take, inbox.restored);
    await here.publish("news", "one");
    await inbox.until(["one"]);
    const admin = createClient({ url: redisUrl() });
    await admin.connect();
    await admin.sendCommand(["CLIENT", "KILL", "TYPE", "pubsub"]);
    await admin.close();
    await inbox.until(["one", "restored"]);
    await here.publish("news", "two");
    await inbox.until(["one", "restored", "two"]);
    await Promise.all([here.close(), there.close()]);
  });
});

describe.skipIf(!hasRedis)(`upstash, over a REST bridge to redis${skipped}`, () => {
  const bridges: TestRestBridge[] = [];
  const newBridge = async () => {
    const bridge = await startRestBridge(redisUrl());
    bridges.push(bridge);
    return bridge;
  };
  behavesAsCache(async () => upstashCache((await newBridge()).url));
  afterAll(async () => {
    for (const bridge of bridges) await bridge.close();
  });

  it("reaches other processes, and says when it may have missed something", async () => {
    const [bridge, elsewhere] = [await newBridge(), await newBridge()];
    const [here, there] = [upstashCache(elsewhere.url), upstashCache(bridge.url)];
    const inbox = new Inbox();
    await there.subscribe("news", inbox.take, inbox.restored);
    await here.publish("news", "one");
    await inbox.until(["one"]);
    bridge.breakConnections();
    await inbox.until(["one", "restored"]);
    await here.publish("news", "two");
    await inbox.until(["one", "restored", "two"]);
    await Promise.all([here.close(), there.close()]);
  });
});
