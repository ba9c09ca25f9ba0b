import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventFrame } from "./index";
import { Client, idOf, key, Log, noCache, openStage, publish, upTo } from "./testing";

// Followed as operations do; the log is a list in memory, so that a test decides what is read when.
let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe("a room", () => {
  it("reads what is new once for all, in order, whatever the hints say", async () => {
    const [live, log] = [stage.liveWith(), new Log()];
    const clients = await Promise.all(
      Array.from({ length: 50 }, async () => new Client(await stage.follow(live, log))),
    );
    for (const client of clients)
      await client.until((positions) => positions.length === 0 && client.states > 0);
    for (let i = 0; i < 10; i += 1) log.write();
    // Late, early, twice, backwards.
    for (const hint of [3, 10, 10, 1, 7, 10]) publish(live, hint);
    for (const client of clients) await client.until((positions) => positions.length === 10);
    for (const client of clients) expect(client.positions).toEqual(upTo(10));
    // One read, and one for the hints that arrived during it.
    expect(log.reads).toBeLessThanOrEqual(2);
    const reads = log.reads;
    publish(live, 5);
    publish(live, 10);
    await new Promise(setImmediate);
    expect(log.reads).toBe(reads);
    await live.close();
  });

  it("reads at once for the first calm hint, then once for all within a moment; any other hint does not wait", async () => {
    const [live, log] = [stage.liveWith({ calmMs: 60_000 }), new Log()];
    const client = new Client(await stage.follow(live, log));
    await client.until(() => client.states === 1);
    const calm = (position: number) => live.publish({ kind: "chat", topicId: key, position, calm: true });
    calm(log.write());
    await client.until((positions) => positions.length === 1);
    const reads = log.reads;
    for (let i = 0; i < 20; i += 1) calm(log.write());
    await new Promise(setImmediate);
    expect(log.reads).toBe(reads);
    publish(live, log.write());
    await client.until((positions) => positions.length === 22);
    expect(client.positions).toEqual(upTo(22));
    expect(log.reads).toBe(reads + 1);
    await live.close();
  });

  it("gives what calm hints named when their moment is over, without another hint", async () => {
    const [live, log] = [stage.liveWith({ calmMs: 30 }), new Log()];
    const client = new Client(await stage.follow(live, log));
    await client.until(() => client.states === 1);
    for (let i = 0; i < 50; i += 1) {
      live.publish({ kind: "chat", topicId: key, position: log.write(), calm: true });
      if (i % 10 === 0) await new Promise(setImmediate);
    }
    await client.until((positions) => positions.length === 50);
    expect(client.positions).toEqual(upTo(50));
    expect(log.reads).toBeLessThan(10);
    await live.close();
  });

  it("finds out by looking when no hint comes, and that the state is another", async () => {
    const [live, log] = [stage.liveWith({ lookMs: 20 }), new Log()];
    const client = new Client(await stage.follow(live, log));
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
    const live = stage.liveWith({}, cache);
    const log = new Log();
    const client = new Client(await stage.follow(live, log));
    await client.until(() => client.states === 1);
    log.write();
    cache.restore();
    await client.until((positions) => positions.length === 1);
    await live.close();
  });

  it("misses nothing that is written while it opens, and while a stream catches up", async () => {
    const [live, log] = [stage.liveWith(), new Log()];
    for (let i = 0; i < 350; i += 1) log.write();
    const first = new Client(await stage.follow(live, log, idOf(1)));
    const second = new Client(await stage.follow(live, log));
    for (let i = 0; i < 250; i += 1) {
      publish(live, log.write());
      if (i % 50 === 0) await new Promise(setImmediate);
    }
    await first.until((positions) => positions.length === 599);
    await second.until((positions) => positions.length === 250);
    expect(first.positions).toEqual(upTo(600, 2));
    expect(second.positions).toEqual(upTo(600, 351));
    await live.close();
  });

  it("gives what came while its reading was under way", async () => {
    const [live, log] = [stage.liveWith(), new Log()];
    const client = new Client(await stage.follow(live, log));
    await client.until(() => client.states === 1);
    let open = () => {};
    log.gate = new Promise((resolve) => {
      open = resolve;
    });
    publish(live, log.write());
    await new Promise(setImmediate);
    // Read without it; hinted during the read.
    publish(live, log.write());
    open();
    await client.until((positions) => positions.length === 2);
    expect(client.positions).toEqual([1, 2]);
    await live.close();
  });

  it("passes over positions that were removed", async () => {
    const [live, log] = [stage.liveWith(), new Log()];
    for (let i = 0; i < 500; i += 1) log.write();
    const from = idOf(10);
    const kept = log.entries.filter(({ position }) => position <= 10 || position % 100 === 0);
    log.entries.length = 0;
    log.entries.push(...kept);
    // The newest are among the deleted ones.
    let last = 599;
    log.look = async () => new Map([[key, { position: last, version: "" }]]);
    const client = new Client(await stage.follow(live, log, from));
    await client.until((positions) => positions.length === 5);
    await new Promise(setImmediate);
    last = 600;
    log.entries.push({ position: last, frame: eventFrame("message", { position: last }, idOf(last)) });
    publish(live, last);
    await client.until((positions) => positions.length === 6);
    expect(client.positions).toEqual([100, 200, 300, 400, 500, 600]);
    // It does not keep asking for entries that are gone.
    expect(log.reads).toBeLessThanOrEqual(4);
    await live.close();
  });

  it("reads what an entry rewrites again, instead of sending it from memory", async () => {
    const [live, log] = [stage.liveWith(), new Log()];
    const first = new Client(await stage.follow(live, log));
    await first.until(() => first.states === 1);
    for (let i = 0; i < 3; i += 1) publish(live, log.write());
    await first.until((positions) => positions.length === 3);
    const { reads } = log;
    const early = new Client(await stage.follow(live, log, idOf(1)));
    await early.until((positions) => positions.length === 2);
    expect(log.reads).toBe(reads);
    const [, second] = log.entries;
    log.entries[1] = { position: 2, frame: eventFrame("message", { position: 2, taken: true }, idOf(2)) };
    log.entries.push({
      position: 4,
      frame: eventFrame("message", { position: 4 }, idOf(4)),
      rewrites: true,
    });
    publish(live, 4);
    await first.until((positions) => positions.length === 4);
    const late = new Client(await stage.follow(live, log, idOf(1)));
    await late.until((positions) => positions.length === 3);
    expect(late.positions).toEqual([2, 3, 4]);
    expect(late.frames).not.toContain(new TextDecoder().decode(second?.frame));
    await live.close();
  });

  it("loses and repeats nothing over a thousand reconnects with messages coming", async () => {
    const [live, log] = [stage.liveWith(), new Log()];
    publish(live, log.write());
    // Each has read up to some position, and disconnects and reconnects repeatedly.
    const people = Array.from({ length: 50 }, () => ({ positions: [1], client: null as Client | null }));
    let reconnects = 0;
    let visits = people.length;
    const writing = (async () => {
      while (visits > 0 || log.entries.length < 300) {
        for (let i = Math.random() * 12; i > 0; i -= 1) publish(live, log.write());
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    const visit = async (person: (typeof people)[number]) => {
      while (reconnects < 1_000) {
        reconnects += 1;
        const client = new Client(await stage.follow(live, log, idOf(person.positions.at(-1) ?? 0)));
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
      const last = new Client(await stage.follow(live, log, idOf(person.positions.at(-1) ?? 0)));
      const missing = written - person.positions.length;
      await last.until((positions) => positions.length >= missing);
      expect([...person.positions, ...last.positions]).toEqual(upTo(written));
    }
    await live.close();
  });
});
