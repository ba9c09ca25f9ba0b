import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { EventStream } from "@/lib/contract";
import { memoryDatabase } from "@/lib/testing/template";
import { createLive } from "./create";
import { eventFrame, type Feed, type LogEntry } from "./feed";
import type { Live, Subscription } from "./index";
import { Client, noCache } from "./testing";

// Rooms are followed as operations follow them; the log is a list in memory, so that a test decides what is read when.

let database: OpenDatabase;
const callers: Subscription["caller"][] = [];
beforeAll(async () => {
  database = await memoryDatabase();
  for (const userId of ["ada", "bob"]) {
    const user = { id: userId, identity_hash: userId, nickname: userId, nickname_key: userId };
    await database.db
      .insertInto("users")
      .values({ ...user, nickname_set: true, profile_image: null, deleted_at: null })
      .execute();
    const at = new Date();
    const expires = new Date(Date.now() + 3_600_000);
    await database.db
      .insertInto("sessions")
      .values({
        jti: userId,
        user_id: userId,
        label: "",
        created_at: at,
        last_seen_at: at,
        expires_at: expires,
      })
      .execute();
    callers.push({ userId, jti: userId });
  }
});
afterAll(() => database.close());

const key = "5f0c7c9e-0000-4000-8000-000000000001";
const idOf = (position: number) => `00000000-0000-4000-8000-${String(position).padStart(12, "0")}`;

/** A log that a test writes. */
class Log implements Feed {
  readonly keyedBy = "topic";
  readonly entries: LogEntry[] = [];
  version = 0;
  /** Readings of `after`. */
  reads = 0;
  states = 0;
  /** Awaited by every reading. */
  gate: Promise<void> = Promise.resolve();

  write(): number {
    const position = this.entries.length + 1;
    this.entries.push({ position, frame: eventFrame("message", { position }, idOf(position)) });
    return position;
  }
  async look() {
    const position = this.entries.length;
    return new Map([[key, { position, version: String(this.version) }]]);
  }
  async after(_db: unknown, _key: string, position: number, limit: number) {
    this.reads += 1;
    const page = this.entries.filter((entry) => entry.position > position).slice(0, limit);
    await this.gate;
    return page;
  }
  async positionOf(_db: unknown, _key: string, id: string) {
    return this.entries.find(({ position }) => idOf(position) === id)?.position ?? null;
  }
  async state() {
    this.states += 1;
    return eventFrame("state", { version: this.version });
  }
}

const never = { pingMs: 3_600_000, rightsMs: 3_600_000, lookMs: 3_600_000, stateMs: 1 };

function liveWith(settings: object = {}): Live {
  return createLive({
    db: database.db,
    cache: noCache(),
    now: () => new Date(),
    settings: { ...never, streamsPerUser: 10_000, ...settings },
  });
}

async function follow(live: Live, log: Log, lastEventId: string | null = null): Promise<EventStream> {
  const [caller] = callers;
  return await live.follow(log, key, { caller: caller ?? expect.fail(), lastEventId });
}

const upTo = (to: number, from = 1) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const tell = (live: Live, position: number) => live.tell({ kind: "chat", topicId: key, position });

describe("a room", () => {
  it("reads what is new once for all, in order, whatever the hints say", async () => {
    const [live, log] = [liveWith(), new Log()];
    const clients = await Promise.all(
      Array.from({ length: 50 }, async () => new Client(await follow(live, log))),
    );
    for (const client of clients)
      await client.until((positions) => positions.length === 0 && client.states > 0);
    for (let i = 0; i < 10; i += 1) log.write();
    // Late, early, twice, backwards.
    for (const hint of [3, 10, 10, 1, 7, 10]) tell(live, hint);
    for (const client of clients) await client.until((positions) => positions.length === 10);
    for (const client of clients) expect(client.positions).toEqual(upTo(10));
    // One reading, and one for hints that came while it was under way.
    expect(log.reads).toBeLessThanOrEqual(2);
    const reads = log.reads;
    tell(live, 5);
    tell(live, 10);
    await new Promise(setImmediate);
    expect(log.reads).toBe(reads);
    await live.close();
  });

  it("finds out by looking when no hint comes, and that the state is another", async () => {
    const [live, log] = [liveWith({ lookMs: 20 }), new Log()];
    const client = new Client(await follow(live, log));
    await client.until(() => client.states === 1);
    log.write();
    log.version += 1;
    await client.until((positions) => positions.length === 1 && client.states === 2);
    const { states } = log;
    log.write();
    await client.until((positions) => positions.length === 2);
    expect(log.states).toBe(states);
    await live.close();
  });

  it("finds out when the cache was away", async () => {
    const cache = noCache();
    const live = createLive({ db: database.db, cache, now: () => new Date(), settings: never });
    const log = new Log();
    const client = new Client(await follow(live, log));
    await client.until(() => client.states === 1);
    log.write();
    cache.restore();
    await client.until((positions) => positions.length === 1);
    await live.close();
  });

  it("misses nothing that is written while it opens, and while a stream catches up", async () => {
    const [live, log] = [liveWith(), new Log()];
    for (let i = 0; i < 350; i += 1) log.write();
    const first = new Client(await follow(live, log, idOf(1)));
    const second = new Client(await follow(live, log));
    for (let i = 0; i < 250; i += 1) {
      tell(live, log.write());
      if (i % 50 === 0) await new Promise(setImmediate);
    }
    await first.until((positions) => positions.length === 599);
    await second.until((positions) => positions.length === 250);
    expect(first.positions).toEqual(upTo(600, 2));
    expect(second.positions).toEqual(upTo(600, 351));
    await live.close();
  });

  it("gives what came while its reading was under way", async () => {
    const [live, log] = [liveWith(), new Log()];
    const client = new Client(await follow(live, log));
    await client.until(() => client.states === 1);
    let open = () => {};
    log.gate = new Promise((resolve) => {
      open = resolve;
    });
    tell(live, log.write());
    await new Promise(setImmediate);
    // Read without it; told of it while it reads.
    tell(live, log.write());
    open();
    await client.until((positions) => positions.length === 2);
    expect(client.positions).toEqual([1, 2]);
    await live.close();
  });

  it("passes over positions that were removed", async () => {
    const [live, log] = [liveWith(), new Log()];
    for (let i = 0; i < 500; i += 1) log.write();
    const from = idOf(10);
    const kept = log.entries.filter(({ position }) => position <= 10 || position % 100 === 0);
    log.entries.length = 0;
    log.entries.push(...kept);
    // The newest are among those that were removed.
    let last = 599;
    log.look = async () => new Map([[key, { position: last, version: "" }]]);
    const client = new Client(await follow(live, log, from));
    await client.until((positions) => positions.length === 5);
    last = 600;
    log.entries.push({ position: last, frame: eventFrame("message", { position: last }, idOf(last)) });
    tell(live, last);
    await client.until((positions) => positions.length === 6);
    expect(client.positions).toEqual([100, 200, 300, 400, 500, 600]);
    await live.close();
  });

  it("loses and repeats nothing over a thousand reconnects with messages coming", async () => {
    const [live, log] = [liveWith(), new Log()];
    tell(live, log.write());
    // Each has got everything up to somewhere, and goes and comes back again and again.
    const people = Array.from({ length: 50 }, () => ({ positions: [1], client: null as Client | null }));
    let reconnects = 0;
    let visits = people.length;
    const writing = (async () => {
      while (visits > 0 || log.entries.length < 300) {
        for (let i = Math.random() * 12; i > 0; i -= 1) tell(live, log.write());
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    const visit = async (person: (typeof people)[number]) => {
      while (reconnects < 1_000) {
        reconnects += 1;
        const client = new Client(await follow(live, log, idOf(person.positions.at(-1) ?? 0)));
        const enough = Math.floor(Math.random() * 8);
        await client.until((positions) => positions.length >= enough);
        client.leave();
        person.positions.push(...client.positions);
      }
      visits -= 1;
    };
    await Promise.all([writing, ...people.map(visit)]);
    const written = log.entries.length;
    for (const person of people) {
      const last = new Client(await follow(live, log, idOf(person.positions.at(-1) ?? 0)));
      const missing = written - person.positions.length;
      await last.until((positions) => positions.length >= missing);
      expect([...person.positions, ...last.positions]).toEqual(upTo(written));
    }
    await live.close();
  });

  it("sends a client that reads too slowly away with a hint; it comes back and has everything", async () => {
    const [live, log] = [liveWith(), new Log()];
    const slow = new Client(await follow(live, log), { takes: false });
    const quick = new Client(await follow(live, log));
    await slow.until(() => slow.states === 1);
    await quick.until(() => quick.states === 1);
    const large = "x".repeat(2_000);
    for (let i = 0; i < 300; i += 1) {
      const position = log.write();
      log.entries[position - 1] = {
        position,
        frame: eventFrame("message", { position, large }, idOf(position)),
      };
      tell(live, position);
      await new Promise(setImmediate);
    }
    await slow.ended;
    await quick.until((positions) => positions.length === 300);
    expect(quick.isOver).toBe(false);
    expect(slow.last).toMatch(/^retry: \d+\n\n$/);
    // What it held is bounded: a quarter of a megabyte and one entry.
    expect(slow.bytes).toBeLessThan(260 * 1024);
    const back = new Client(await follow(live, log, idOf(slow.positions.at(-1) ?? 0)));
    await back.until((positions) => positions.length + slow.positions.length === 300);
    expect([...slow.positions, ...back.positions]).toEqual(upTo(300));
    await live.close();
  });

  it("gives a client that catches up no more than it takes", async () => {
    const [live, log] = [liveWith(), new Log()];
    for (let i = 1; i <= 600; i += 1) {
      const position = log.write();
      log.entries[position - 1] = {
        position,
        frame: eventFrame("message", { position, i: "x".repeat(2_000) }, idOf(position)),
      };
    }
    const client = new Client(await follow(live, log, idOf(1)), { takes: false });
    await client.until((positions) => positions.length > 0);
    // It takes nothing: one page is what it gets.
    const held = client.bytes;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(client.bytes - held).toBeLessThan(100);
    client.take();
    await client.until((positions) => positions.length === 599);
    expect(client.positions).toEqual(upTo(600, 2));
    await live.close();
  });
});

describe("a state", () => {
  it("is read once for all who come together, and sent only when it is another", async () => {
    const [live, log] = [liveWith({ stateMs: 20 }), new Log()];
    const clients = await Promise.all(
      Array.from({ length: 100 }, async () => new Client(await follow(live, log))),
    );
    for (const client of clients) await client.until(() => client.states === 1);
    expect(log.states).toBeLessThanOrEqual(3);
    log.version = 1;
    for (let i = 0; i < 50; i += 1) live.tell({ kind: "presence", topicId: key });
    for (const client of clients) await client.until(() => client.states === 2);
    const { states } = log;
    expect(states).toBeLessThanOrEqual(5);
    live.tell({ kind: "presence", topicId: key });
    await expect.poll(() => log.states).toBe(states + 1);
    for (const client of clients) expect(client.states).toBe(2);
    await live.close();
  });

  it("is sent the more rarely the larger the room is", async () => {
    const [live, log] = [liveWith(), new Log()];
    const large = "x".repeat(50_000);
    log.state = async () => {
      log.states += 1;
      return eventFrame("state", { version: log.version, large });
    };
    const clients = await Promise.all(
      Array.from({ length: 20 }, async () => new Client(await follow(live, log))),
    );
    for (const client of clients) await client.until(() => client.states === 1);
    const began = performance.now();
    for (let round = 1; round <= 3; round += 1) {
      log.version = round;
      live.tell({ kind: "presence", topicId: key });
      for (const client of clients) await client.until(() => client.states === 1 + round);
    }
    // 20 times 50 kB is a megabyte, of which five a second are sent: 200 ms apart, twice.
    expect(performance.now() - began).toBeGreaterThan(390);
    await live.close();
  });
});

describe("a stream", () => {
  it("that nobody opens does not stay", async () => {
    const [live, log] = [liveWith({ pingMs: 60, streamsPerUser: 1 }), new Log()];
    await follow(live, log);
    await expect(follow(live, log)).rejects.toMatchObject({ code: "too_many_streams" });
    await expect
      .poll(
        async () =>
          await follow(live, log).then(
            () => true,
            () => false,
          ),
      )
      .toBe(true);
    await live.close();
  });

  it("of a session that ended is refused, and ends with it while it is opened", async () => {
    const [live, log] = [liveWith(), new Log()];
    const ended = { userId: "ada", jti: "gone" };
    const refused = live.follow(log, key, { caller: ended, lastEventId: null });
    await expect(refused).rejects.toMatchObject({ code: "not_authenticated" });
    const bob = callers[1] ?? expect.fail();
    const refusing: Feed = Object.assign(log, { allowed: async () => [] });
    // The right goes between the look at it and the answer.
    const stream = await live.follow(refusing, key, {
      caller: bob,
      lastEventId: null,
      demand: async () => live.tell({ kind: "access", topicId: key, userId: "bob" }),
    });
    const client = new Client(stream);
    await client.ended;
    expect(client.positions).toEqual([]);
    await live.close();
    await expect(follow(live, log)).rejects.toMatchObject({ code: "not_ready" });
  });
});
