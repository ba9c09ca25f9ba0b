import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { memoryDatabase } from "@/lib/testing/template";
import { freePort } from "@/scripts/stack/ports";
import { embeddedCache } from "./embedded";
import type { Cache } from "./index";
import { openCache } from "./open";
import { redisCache } from "./redis";
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

const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;
const skipped = hasRedis ? "" : " (skipped: no `redis-server` program on this machine)";

let redis: ChildProcess | undefined;
let redisUrl = "";
let folder = "";
beforeAll(async () => {
  if (!hasRedis) return;
  const port = await freePort();
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-redis-"));
  redis = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
    cwd: folder,
  });
  for await (const line of redis.stdout ?? []) if (String(line).includes("Ready to accept")) break;
  redisUrl = `redis://127.0.0.1:${port}`;
});
afterAll(async () => {
  if (!redis) return;
  redis.kill();
  await once(redis, "exit");
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!hasRedis)(`redis${skipped}`, () => {
  behavesAsCache(() => redisCache(redisUrl));

  it("refuses to start when nobody answers", async () => {
    const port = await freePort();
    await expect(redisCache(`redis://127.0.0.1:${port}`)).rejects.toThrow();
  });
});

describe.skipIf(!hasRedis)(`upstash, over a REST bridge to redis${skipped}`, () => {
  const bridge = { close: async () => {} };
  behavesAsCache(async () => {
    const { url, close } = await startRestBridge(redisUrl);
    bridge.close = close;
    return upstashCache(`upstash+${url.replace("http://", "http://:secret%21@")}`);
  });
  afterAll(() => bridge.close());
});

const commandSchema = z.array(z.union([z.string(), z.number()]).transform(String));

/**
 * Upstash's REST in front of a Redis: a POSTed command array, its reply as {result}; a list of them at /pipeline. The
 * client asks for text as base64, which "OK" is exempt from.
 */
async function startRestBridge(target: string) {
  const client = createClient({ url: target });
  await client.connect();
  const encode = (reply: unknown): unknown => {
    if (Array.isArray(reply)) return reply.map(encode);
    return typeof reply === "string" && reply !== "OK" ? Buffer.from(reply).toString("base64") : reply;
  };
  const run = async (command: unknown) => ({
    result: encode(await client.sendCommand(commandSchema.parse(command))),
  });
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    if (request.headers.authorization !== "Bearer secret!") {
      response.writeHead(401).end('{"error":"Unauthorized"}');
      return;
    }
    const sent: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const reply =
      request.url === "/pipeline"
        ? await Promise.all(z.array(z.unknown()).parse(sent).map(run))
        : await run(sent);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(reply));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      await client.close();
    },
  };
}
