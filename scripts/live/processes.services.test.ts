import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type OpenDatabase, openDatabase } from "@/db/client";
import { startRedis, startRestBridge, type TestRedis } from "@/lib/cache/testing";
import type { Environment } from "@/lib/settings/read";
import {
  hostedUrl,
  startPostgres,
  startWebSocketBridge,
  type TestBridge,
  type TestPostgres,
} from "@/lib/sql/testing";
import { median } from "@/lib/testing/scale/measure";
import { type AppHome, type AppProcess, appHome } from "./app-process";
import { Listener, marked } from "./listener";
import { type Crowd, makeCrowd } from "./people";

/** Two processes of the built app on one PostgreSQL, with real connections and real kills. */
let postgres: TestPostgres | undefined;
let bridge: TestBridge | undefined;
let redis: TestRedis | undefined;
let rest: TestRedis | undefined;
let home: AppHome;
let database: OpenDatabase;
const running: AppProcess[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  redis = await startRedis();
  if (!postgres || !redis) throw new Error("these tests need PostgreSQL and redis-server: see .ci/run");
  bridge = await startWebSocketBridge(postgres.url, { isSecure: true });
  rest = await startRestBridge(redis.url);
  home = await appHome();
});
afterAll(async () => {
  for (const app of running) await app.kill("SIGKILL");
  await database.close();
  await rest?.close();
  await bridge?.close();
  await redis?.close();
  await postgres?.close();
  await rm(home.settings.home, { recursive: true, force: true });
});

const presenceSchema = z.object({ count: z.int(), users: z.array(z.object({ nickname: z.string() })) });
const heartbeatMs = 30_000;

describe.each(["PostgreSQL", "PostgreSQL and Redis", "@vercel/postgres and @upstash/redis"] as const)(
  "two processes on %s",
  (services) => {
    let crowd: Crowd;
    let env: Environment;
    let one: AppProcess;
    let two: AppProcess;
    let said = 0;

    async function start(): Promise<AppProcess> {
      const app = await home.start(env);
      running.push(app);
      return app;
    }

    async function say(app: AppProcess): Promise<void> {
      const response = await fetch(`${app.url}/api/topics/${crowd.topicId}/chat`, {
        method: "POST",
        headers: { authorization: `Bearer ${crowd.tokens[0]}`, "content-type": "application/json" },
        body: JSON.stringify({ message: marked(said, performance.timeOrigin + performance.now()) }),
      });
      expect(response.status).toBe(201);
      said += 1;
    }

    const listen = (app: AppProcess, person: number) =>
      new Listener(app.port, `/api/topics/${crowd.topicId}/chat/subscribe`, crowd.tokens[person] ?? "");

    async function presence(app: AppProcess): Promise<number> {
      const response = await fetch(`${app.url}/api/topics/${crowd.topicId}/chat/presence`, {
        headers: { authorization: `Bearer ${crowd.tokens[0]}` },
      });
      return presenceSchema.parse(await response.json()).count;
    }

    async function until(what: string, holds: () => boolean | Promise<boolean>, ms: number): Promise<void> {
      const end = Date.now() + ms;
      while (!(await holds())) {
        if (Date.now() > end) expect.fail(`not in ${ms} ms: ${what}`);
        await sleep(50);
      }
    }

    beforeAll(async () => {
      const url = (await postgres?.createDatabase(services.replaceAll(/\W+/g, "_"))) ?? expect.fail();
      await database?.close();
      database = await openDatabase({ url });
      crowd = await makeCrowd(database.db, home.tokens, 12);
      env = {
        PostgreSQL: { DATABASE_URL: url, CACHE_URL: "embedded" },
        "PostgreSQL and Redis": { DATABASE_URL: url, CACHE_URL: redis?.url },
        "@vercel/postgres and @upstash/redis": {
          ...bridge?.env,
          DATABASE_URL: bridge && hostedUrl(url, bridge.port),
          CACHE_URL: rest?.url,
        },
      }[services];
      [one, two] = await Promise.all([start(), start()]);
    });

    it("a message sent to either reaches the people of both, in order, and presence is of both", async () => {
      const people = [1, 2, 3, 4].map((person) => listen(person % 2 ? one : two, person));
      await Promise.all(people.map((listener) => listener.connect()));
      for (let i = 0; i < 30; i += 1) await say(i % 3 ? one : two);
      await until("everybody has all", () => people.every(({ next }) => next === said), 5_000);
      expect(people.flatMap(({ faults }) => faults)).toEqual([]);
      // Told at once, not found by looking from time to time; one message may wait for a connection on a busy machine.
      expect(median(people.flatMap(({ latencies }) => latencies))).toBeLessThan(1_000);
      expect([await presence(one), await presence(two)]).toEqual([4, 4]);
      for (const listener of people) listener.cut();
      await until(
        "nobody is there",
        async () => (await presence(one)) === 0 && (await presence(two)) === 0,
        10_000,
      );
    });

    it("a guest's page and list come from memory, and show within a second what another process wrote", async () => {
      const path = `/topics/${crowd.topicId}`;
      const read = async (app: AppProcess) => {
        const response = await fetch(app.url + path);
        return { tag: response.headers.get("etag"), html: await response.text() };
      };
      const list = async (app: AppProcess) => await (await fetch(`${app.url}/api${path}/posts`)).text();
      for (const [writer, reader] of [
        [one, two],
        [two, one],
      ] as const) {
        await list(reader);
        const before = await read(reader);
        expect(before.tag).toBeTruthy();
        expect((await read(reader)).tag).toBe(before.tag);
        const title = `Written by ${writer.port}`;
        const response = await fetch(`${writer.url}/api${path}/posts`, {
          method: "POST",
          headers: { authorization: `Bearer ${crowd.tokens[0]}`, "content-type": "application/json" },
          body: JSON.stringify({ title, content: "<p>For everybody.</p>" }),
        });
        expect(response.status).toBe(201);
        await until("the post shows", async () => (await read(reader)).html.includes(title), 1_000);
        await until("the list has it", async () => (await list(reader)).includes(title), 1_000);
      }
    });

    it("kill -9 of one: the other's chat goes on, its presence is right within a heartbeat, nobody loses anything", async () => {
      const [lost, kept] = [[1, 2, 3, 4, 5].map((p) => listen(one, p)), [6, 7, 8].map((p) => listen(two, p))];
      await Promise.all([...lost, ...kept].map((listener) => listener.connect()));
      for (const listener of [...lost, ...kept]) listener.next = said;
      for (let i = 0; i < 10; i += 1) await say(two);
      await until("everybody has all", () => [...lost, ...kept].every(({ next }) => next === said), 5_000);
      await one.kill("SIGKILL");
      const killed = Date.now();
      let counted = await presence(two);
      expect(counted).toBe(8);
      while (counted !== kept.length) {
        expect(Date.now() - killed).toBeLessThan(heartbeatMs);
        await say(two);
        await sleep(200);
        counted = await presence(two);
      }
      await until("the others have all", () => kept.every(({ next }) => next === said), 2_000);
      expect(kept.flatMap(({ faults }) => faults)).toEqual([]);
      expect(kept.every(({ connections }) => connections === 1)).toBe(true);
      expect(Math.max(...kept.flatMap(({ latencies }) => latencies))).toBeLessThan(1_000);
      // They come back to the other process, each with the last event that it has.
      const back = lost.map((before, i) =>
        Object.assign(listen(two, i + 1), { next: before.next, lastEventId: before.lastEventId }),
      );
      await Promise.all(back.map((listener) => listener.connect()));
      await until("they have all again", () => back.every(({ next }) => next === said), 5_000);
      expect(back.flatMap(({ faults }) => faults)).toEqual([]);
      await until("presence is whole", async () => (await presence(two)) === 8, 5_000);
      one = await start();
      expect(await presence(one)).toBe(8);
      await say(one);
      await until(
        "a new process is heard",
        () => [...back, ...kept].every(({ next }) => next === said),
        5_000,
      );
      for (const listener of [...back, ...kept]) listener.cut();
    });

    it("SIGTERM ends streams and process in order; whoever does not come back is gone within a heartbeat", async () => {
      const listener = listen(one, 1);
      await listener.connect();
      const started = Date.now();
      await one.kill("SIGTERM");
      expect(Date.now() - started).toBeLessThan(8_000);
      await until("nobody is there", async () => (await presence(two)) === 0, heartbeatMs);
      await two.kill("SIGTERM");
    });
  },
);
