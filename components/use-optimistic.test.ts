import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ApiResult, Failure } from "./call-api";
import { OptimisticStore } from "./use-optimistic";

const refusal: Failure = { ok: false, code: "no", sentence: "No.", body: null, cause: null };

/** Lets everything happen that waits for nothing but its turn. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A server whose answers come when the test says so. */
function server<Answer>() {
  const asked: ((result: ApiResult<Answer>) => void)[] = [];
  return {
    asked,
    send: () => new Promise<ApiResult<Answer>>((resolve) => asked.push(resolve)),
    /** Answers one request, and lets everything that waits for the answer happen. */
    async answer(at: number, result: ApiResult<Answer>) {
      await settled();
      asked[at]?.(result);
      await settled();
    },
  };
}
const ok = <T>(value: T): ApiResult<T> => ({ ok: true, value });

describe("an act", () => {
  it("shows at once, and is taken back when it is refused", async () => {
    const store = new OptimisticStore(1);
    const { send, answer } = server<number>();
    let seen = 0;
    store.subscribe(() => {
      seen = store.shown();
    });
    const sent = store.act({ change: (n) => n + 1 }, send);
    expect([store.shown(), seen]).toEqual([2, 2]);
    await answer(0, refusal);
    expect([store.shown(), seen]).toEqual([1, 1]);
    expect(await sent).toBe(refusal);
  });

  it("ends in what the server says", async () => {
    const store = new OptimisticStore(1);
    const { send, answer } = server<number>();
    void store.act({ change: (n) => n + 1, settled: (value) => () => value }, send);
    await answer(0, ok(7));
    expect(store.shown()).toBe(7);
  });

  it("waits for the one before it, whose refusal leaves it as it is", async () => {
    const store = new OptimisticStore("a");
    const { asked, send, answer } = server<string>();
    const write = (letter: string) =>
      store.act({ change: (text) => text + letter, settled: (text) => () => text }, send);
    void write("b");
    void write("c");
    expect(store.shown()).toBe("abc");
    await answer(0, refusal);
    expect(asked).toHaveLength(2);
    expect(store.shown()).toBe("ac");
    await answer(1, ok("server"));
    expect(store.shown()).toBe("server");
  });

  it("gets what the server last said, and may confirm half of itself", async () => {
    const store = new OptimisticStore(1);
    const known: number[] = [];
    await store.act({ change: (n) => n + 1, settled: (value) => () => value }, async () => ok(5));
    await store.act({ change: (n) => n + 1 }, async (confirmed, confirm) => {
      known.push(confirmed);
      confirm(9);
      return refusal;
    });
    expect(known).toEqual([5]);
    expect(store.shown()).toBe(9);
  });

  it("on another thing waits for none", async () => {
    const store = new OptimisticStore<readonly string[]>(["a", "b"]);
    const { asked, send, answer } = server<unknown>();
    const leave = (row: string) =>
      store.act({ on: row, change: (rows) => rows.filter((one) => one !== row) }, send);
    void leave("a");
    void leave("b");
    await settled();
    expect(asked).toHaveLength(2);
    await answer(1, ok(null));
    expect(store.shown()).toEqual([]);
    await answer(0, refusal);
    expect(store.shown()).toEqual(["a"]);
  });
});

describe("a newer state", () => {
  const rows = ["a", "b"];
  const leaving = (row: string) => ({
    on: row,
    change: (now: readonly string[]) => now.filter((r) => r !== row),
  });

  it("replaces what was answered, and keeps what was not", async () => {
    const store = new OptimisticStore<readonly string[]>(rows);
    const { send, answer } = server<unknown>();
    void store.act(leaving("a"), send);
    void store.act(leaving("b"), send);
    await settled();
    await answer(1, ok(null));
    store.rebase(["a", "b", "c"]);
    expect(store.shown()).toEqual(["b", "c"]);
    await answer(0, ok(null));
    expect(store.shown()).toEqual(["b", "c"]);
  });

  it("is another one: the same leaves what was answered", async () => {
    const store = new OptimisticStore<readonly string[]>(rows);
    await store.act(leaving("a"), async () => ok(null));
    store.rebase(rows);
    expect(store.shown()).toEqual(["b"]);
  });

  it("brings back a row that was out of date", async () => {
    const store = new OptimisticStore<readonly string[]>(rows);
    const stale = {
      ...leaving("a"),
      change: (now: readonly string[]) => now,
      refused: () => leaving("a").change,
    };
    await store.act(stale, async () => refusal);
    expect(store.shown()).toEqual(["b"]);
    store.rebase([...rows]);
    expect(store.shown()).toEqual(rows);
  });
});

it("whatever is answered in whatever order, what shows in the end is what the server has", async () => {
  const key = fc.constantFrom("a", "b", "c");
  const act = fc.record({ key, isRefused: fc.boolean(), delay: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 8 }), async (acts) => {
      const start: Readonly<Record<string, number>> = { a: 0, b: 0, c: 0 };
      const store = new OptimisticStore(start);
      let truth = start;
      await Promise.all(
        acts.map(({ key: on, isRefused, delay }, i) =>
          store.act({ on, change: (now) => ({ ...now, [on]: i }) }, async () => {
            for (let turn = 0; turn < delay; turn++) await Promise.resolve();
            if (isRefused) return refusal;
            truth = { ...truth, [on]: i };
            return ok(null);
          }),
        ),
      );
      expect(store.shown()).toEqual(truth);
    }),
  );
});
