import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventFrame } from "./index";
import { Client, key, Log, openStage } from "./testing";

let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe("a state", () => {
  it("is read once for all who come together, and sent only when it is another", async () => {
    const [live, log] = [stage.liveWith({ stateMs: 20 }), new Log()];
    const clients = await Promise.all(
      Array.from({ length: 100 }, async () => new Client(await stage.follow(live, log))),
    );
    for (const client of clients) await client.until(() => client.states === 1);
    expect(log.states).toBeLessThanOrEqual(3);
    log.version = 1;
    for (let i = 0; i < 50; i += 1) live.publish({ kind: "presence", topicId: key });
    for (const client of clients) await client.until(() => client.states === 2);
    const { states } = log;
    expect(states).toBeLessThanOrEqual(5);
    live.publish({ kind: "presence", topicId: key });
    await expect.poll(() => log.states).toBe(states + 1);
    for (const client of clients) expect(client.states).toBe(2);
    await live.close();
  });

  it("is sent the more rarely the larger the room is", async () => {
    const [live, log] = [stage.liveWith(), new Log()];
    const large = "x".repeat(50_000);
    log.state = async () => {
      log.states += 1;
      return eventFrame("state", { version: log.version, large });
    };
    const clients = await Promise.all(
      Array.from({ length: 20 }, async () => new Client(await stage.follow(live, log))),
    );
    for (const client of clients) await client.until(() => client.states === 1);
    const began = performance.now();
    for (let round = 1; round <= 3; round += 1) {
      log.version = round;
      live.publish({ kind: "presence", topicId: key });
      for (const client of clients) await client.until(() => client.states === 1 + round);
    }
    // 20 times 50 kB is a megabyte, of which five a second are sent: 200 ms apart, twice.
    expect(performance.now() - began).toBeGreaterThan(390);
    await live.close();
  });
});
