import { describe, expect, it } from "vitest";
import { KeyedLock } from "@/lib/proofs/keyed-lock";
import { inputHash } from "./input-hash";
import { Slots } from "./slots";
import { RunTimes } from "./times";

const pause = async () => await new Promise((resolve) => setTimeout(resolve, 5));

describe("places", () => {
  it("are given out as many as there are, and each back once", () => {
    const queue = new Slots(2);
    const [a, b] = [queue.reserve(), queue.reserve()];
    expect(queue.reserve()).toBeUndefined();
    a?.release();
    a?.release();
    expect([queue.reserve() !== undefined, queue.reserve()]).toEqual([true, undefined]);
    b?.release();
    expect(queue.load).toBe(1);
  });

  it("are there for whoever is owed one, beyond the limit", () => {
    const queue = new Slots(1);
    const [first, second] = [queue.take(), queue.take()];
    first.release();
    expect([queue.load, queue.isFull, queue.reserve()]).toEqual([1, true, undefined]);
    second.release();
    expect(queue.isFull).toBe(false);
  });
});

describe("proving times", () => {
  it("are expected as measured, following changes without believing one outlier", () => {
    const times = new RunTimes(9_000);
    expect(times.expected("x")).toBe(9_000);
    times.record("x", 2_000);
    expect(times.expected("x")).toBe(2_000);
    times.record("x", 10_000);
    expect(times.expected("x")).toBe(4_000);
    expect(times.expected("y")).toBe(9_000);
  });
});

describe("a lock per key", () => {
  it("keeps the order of one key, lets others pass, and survives failures", async () => {
    const lock = new KeyedLock<string>();
    const log: string[] = [];
    const step = (key: string, name: string, fails = false) =>
      lock
        .run(key, async () => {
          log.push(`${name}+`);
          await pause();
          log.push(`${name}-`);
          if (fails) throw new Error("no");
        })
        .catch(() => undefined);
    await Promise.all([step("a", "1", true), step("a", "2"), step("b", "3")]);
    expect(log.slice(0, 2)).toEqual(["1+", "3+"]);
    expect(log.indexOf("2+")).toBeGreaterThan(log.indexOf("1-"));
  });
});

describe("the input hash", () => {
  const secret = Buffer.alloc(32, 1);

  it("is the same for the same inputs in another order and differs for any other", () => {
    const base = inputHash(secret, "c", { a: 1, b: [{ x: "é", y: null }] });
    expect(inputHash(secret, "c", { b: [{ y: null, x: "é" }], a: 1 })).toBe(base);
    const others = [
      { a: 1 },
      { a: "1", b: [{ x: "é", y: null }] },
      { a: 1, b: { x: "é", y: null } },
      [],
      null,
    ];
    const hashes = others.map((other) => inputHash(secret, "c", other));
    expect(new Set([base, inputHash(secret, "d", { a: 1, b: [{ x: "é", y: null }] }), ...hashes]).size).toBe(
      7,
    );
  });

  it("tells nothing to whoever lacks the secret", () => {
    expect(inputHash(secret, "c", {})).not.toBe(inputHash(Buffer.alloc(32, 2), "c", {}));
  });
});
