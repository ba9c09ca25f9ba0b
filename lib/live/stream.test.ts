import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryId,
  RootOperationNode,
} from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noSession } from "@/lib/testing/no-session";
import { eventFrame, type Feed } from "./index";
import { Client, idOf, key, Log, noCache, openStage, publish, upTo } from "./testing";

let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe("a stream", () => {
  it("sends a client that reads too slowly away with a hint; it comes back and has everything", async () => {
    const [live, log] = [stage.liveWith(), new Log()];
    const slow = new Client(await stage.follow(live, log), { takes: false });
    const quick = new Client(await stage.follow(live, log));
    await slow.until(() => slow.states === 1);
    await quick.until(() => quick.states === 1);
    const large = "x".repeat(2_000);
    for (let i = 0; i < 300; i += 1) {
      const position = log.write();
      log.entries[position - 1] = {
        position,
        frame: eventFrame("message", { position, large }, idOf(position)),
      };
      publish(live, position);
      await new Promise(setImmediate);
    }
    await slow.ended;
    await quick.until((positions) => positions.length === 300);
    expect(quick.isOver).toBe(false);
    expect(slow.last).toMatch(/^retry: \d+\n\n$/);
    // What it held is bounded: a quarter of a megabyte and one entry.
    expect(slow.bytes).toBeLessThan(260 * 1024);
    const back = new Client(await stage.follow(live, log, idOf(slow.positions.at(-1) ?? 0)));
    await back.until((positions) => positions.length + slow.positions.length === 300);
    expect([...slow.positions, ...back.positions]).toEqual(upTo(300));
    await live.close();
  });

  it("gives a client that catches up no more than it takes", async () => {
    const [live, log] = [stage.liveWith(), new Log()];
    for (let i = 1; i <= 600; i += 1) {
      const position = log.write();
      log.entries[position - 1] = {
        position,
        frame: eventFrame("message", { position, i: "x".repeat(2_000) }, idOf(position)),
      };
    }
    const client = new Client(await stage.follow(live, log, idOf(1)), { takes: false });
    await client.until((positions) => positions.length > 0);
    // It reads nothing: it gets one page.
    const held = client.bytes;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(client.bytes - held).toBeLessThan(100);
    client.take();
    await client.until((positions) => positions.length === 599);
    expect(client.positions).toEqual(upTo(600, 2));
    await live.close();
  });

  it("is pinged once its state was sent, and not before", async () => {
    const [live, log] = [stage.liveWith({ pingMs: 300 }), new Log()];
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const state = await log.state();
    log.state = async () => {
      await gate;
      return state;
    };
    const client = new Client(await stage.follow(live, log));
    // More than one round passes.
    await new Promise((resolve) => setTimeout(resolve, 450));
    open();
    await client.until(() => client.events.length === 3);
    expect(client.events).toEqual(["state", "ping", "ping"]);
    await live.close();
  });

  it("ends within its time, at a ping; its client comes back and has everything", async () => {
    const [live, log] = [stage.liveWith({ pingMs: 60, streamMs: 120 }), new Log()];
    const client = new Client(await stage.follow(live, log));
    publish(live, log.write());
    await client.until((positions) => positions.length === 1);
    await client.ended;
    expect(client.last).toMatch(/^retry: \d+\n\n$/);
    // The second comes within two rounds, which is its time.
    expect(client.events.filter((name) => name === "ping")).toHaveLength(1);
    publish(live, log.write());
    const back = new Client(await stage.follow(live, log, idOf(1)));
    await back.until((positions) => positions.length === 1);
    expect(back.positions).toEqual([2]);
    await live.close();
  });

  it("that nobody opens does not stay", async () => {
    const [live, log] = [stage.liveWith({ pingMs: 60, streamsPerUser: 1 }), new Log()];
    await stage.follow(live, log);
    await expect(stage.follow(live, log)).rejects.toMatchObject({ code: "too_many_streams" });
    await expect
      .poll(
        async () =>
          await stage.follow(live, log).then(
            () => true,
            () => false,
          ),
      )
      .toBe(true);
    await live.close();
  });

  it("of a session that ended is refused, and ends with it while it is opened", async () => {
    const [live, log] = [stage.liveWith(), new Log()];
    const ended = { userId: "ada", session: noSession };
    const refused = live.follow(log, key, { caller: ended, lastEventId: null });
    await expect(refused).rejects.toMatchObject({ code: "not_authenticated" });
    const refusing: Feed = Object.assign(log, { allowed: async () => [] });
    // The right is lost between its check and the response.
    const stream = await live.follow(refusing, key, {
      caller: stage.bob,
      lastEventId: null,
      authorize: async () => live.publish({ kind: "access", topicId: key, userId: "bob" }),
    });
    const client = new Client(stream);
    await client.ended;
    expect(client.positions).toEqual([]);
    await live.close();
    await expect(stage.follow(live, log)).rejects.toMatchObject({ code: "not_ready" });
  });

  it("stays when rights are checked while its own session is", async () => {
    const slow = new SlowAnswers();
    const [live, log] = [stage.liveWith({}, noCache(), slow), new Log()];
    const before = new Client(await live.follow(log, key, { caller: stage.bob, lastEventId: null }));
    const opening = stage.follow(live, log);
    // The check asks for the sessions of streams that have one, and hears of them when the new one has its own.
    slow.hold(opening, () => live.publish({ kind: "access", topicId: key }));
    const client = new Client(await opening);
    await client.until(() => client.states === 1);
    publish(live, log.write());
    await client.until((positions) => positions.length === 1);
    expect([before.isOver, client.isOver]).toEqual([false, false]);
    await live.close();
  });
});

/** Holds the answers of chosen queries back. */
class SlowAnswers implements KyselyPlugin {
  readonly #held = new WeakMap<QueryId, Promise<unknown>>();
  #until: Promise<unknown> | null = null;

  /** Answers the queries that `work` begins only after `until`. */
  hold(until: Promise<unknown>, work: () => void): void {
    this.#until = until;
    work();
    this.#until = null;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    if (this.#until) this.#held.set(queryId, this.#until);
    return node;
  }

  async transformResult({ result, queryId }: PluginTransformResultArgs) {
    await this.#held.get(queryId);
    return result;
  }
}
