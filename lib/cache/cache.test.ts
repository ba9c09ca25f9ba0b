import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryDatabase } from "@/lib/testing/template";
import { freePort } from "@/scripts/stack/ports";
import { embeddedCache } from "./embedded";
import type { Cache } from "./index";
import { openCache } from "./open";
import { redisCache } from "./redis";
import { hasRedis, startRedis, startRestBridge, type TestRedis } from "./testing";
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
    const [a, b, c] = [key(), key(), key()];
    await Promise.all([cache.set(a, "x", 1), cache.set(b, "x", 1), cache.increment(c, 1)]);
    await later(1_200);
    expect(await cache.get(a)).toBeNull();
    expect(await cache.take(b)).toBeNull();
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

  it("take gives a value to one of 50", async () => {
    const k = key();
    await cache.set(k, "prize", 60);
    const taken = await Promise.all(Array.from({ length: 50 }, () => cache.take(k)));
    expect(taken.filter((value) => value !== null)).toEqual(["prize"]);
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
}

describe("embedded", () => {
  behavesAsCache(async () => {
    const database = await memoryDatabase();
    return { ...embeddedCache(database.db), close: () => database.close() };
  });
});

it("says which URLs it knows", async () => {
  const database = await memoryDatabase();
  await expect(openCache("memcached://localhost", database.db)).rejects.toThrow("CACHE_URL must be");
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
});

describe.skipIf(!hasRedis)(`upstash, over a REST bridge to redis${skipped}`, () => {
  const bridge = { close: async () => {} };
  behavesAsCache(async () => {
    const { url, close } = await startRestBridge(redisUrl());
    bridge.close = close;
    return upstashCache(url);
  });
  afterAll(() => bridge.close());
});
