import { afterEach, describe, expect, it, vi } from "vitest";
import { RateLimiter, rateLimitKeys } from "./rate-limit";

describe("rateLimitKeys", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1", undefined],
    ["::ffff:192.0.2.1", "192.0.2.1", undefined],
    ["::ffff:c000:201", "192.0.2.1", undefined],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:0DB8:0001:0002:ffff::", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:db8::1", "2001:db8::/64", "2001:db8::/48"],
    ["fe80::1%eth0", "fe80::/64", "fe80::/48"],
    ["::1", "::/64", "::/48"],
    ["unknown", "unknown", undefined],
    ["x".repeat(500), "x".repeat(64), undefined],
  ])("payments F19: %s counts as %s and %s", (address, key, site) => {
    expect(rateLimitKeys(address)).toEqual({ key, ...(site ? { site } : {}) });
  });

  it("payments F19: two networks whose zeros are elsewhere are two, and one network is one however it is written", () => {
    const { key } = rateLimitKeys("2001::1:2:3:4:5");
    expect(rateLimitKeys("2001::7:2:3:4:5").key).not.toBe(key);
    expect(rateLimitKeys("2001:0:0:1:2:3:4:5").key).toBe(key);
  });
});

describe("RateLimiter", () => {
  const limit = { id: "test", limit: { points: 2, seconds: 60 } };
  /** Counters whose window ends after 60 s, and how often each was asked. */
  function counting() {
    const values = new Map<string, number>();
    const limiter = new RateLimiter({
      async increment(key, seconds) {
        const value = (values.get(key) ?? 0) + 1;
        values.set(key, value);
        return { value, expiresInSeconds: seconds };
      },
    });
    return { values, limiter };
  }
  afterEach(() => void vi.useRealTimers());

  it("refuses what exceeds the window, and asks the store about it at most once a second", async () => {
    vi.useFakeTimers();
    const { values, limiter } = counting();
    const ask = () => limiter.count(limit, [{ key: "one" }]);
    expect(await ask()).toEqual({ points: 2, remaining: 1, resetSeconds: 60, isExceeded: false });
    expect((await ask()).isExceeded).toBe(false);
    for (let i = 0; i < 5; i += 1) expect((await ask()).isExceeded).toBe(true);
    expect(values.get("rate:test:one")).toBe(3);
    vi.advanceTimersByTime(1_000);
    // The window ended meanwhile.
    values.delete("rate:test:one");
    expect((await ask()).isExceeded).toBe(false);
  });

  it("counts each caller with its own budget, and none after one that is exceeded", async () => {
    const { values, limiter } = counting();
    const ask = (key: string) => limiter.count(limit, [{ key }, { key: "site", factor: 2 }]);
    for (const key of ["one", "one", "one"]) await ask(key);
    expect(values.get("rate:test:site")).toBe(2);
    for (const key of ["two", "two"]) expect((await ask(key)).isExceeded).toBe(false);
    expect(await ask("three")).toMatchObject({ points: 4, isExceeded: true });
  });
});
