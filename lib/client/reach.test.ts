import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Reach } from "./reach";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that can be unreachable, and the times of its requests. */
function server(random: () => number) {
  const asked: number[] = [];
  let isThere = false;
  const come = () => {
    isThere = true;
  };
  const reach = new Reach({
    random,
    ask: async () => {
      asked.push(Date.now());
      return isThere;
    },
  });
  return { reach, asked, come };
}
const minute = () => vi.advanceTimersByTimeAsync(60_000);

describe.each([
  ["at the least jitter", 0],
  ["at the most jitter", 0.999],
])("interface 1: a server that is gone, %s", (_, jitter) => {
  it("is asked some times and at most 10 times in a minute, later less often", async () => {
    const { reach, asked } = server(() => jitter);
    reach.lose();
    await minute();
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.length).toBeLessThanOrEqual(10);
    const before = asked.length;
    await minute();
    expect(asked.length - before).toBeGreaterThan(0);
    expect(asked.length - before).toBeLessThanOrEqual(4);
  });

  it("is asked no more often by requests that fail and browsers that flicker", async () => {
    const { reach, asked } = server(() => jitter);
    for (let passed = 0; passed < 60_000; passed += 100) {
      reach.doubt();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(asked.length).toBeLessThanOrEqual(10);
    expect(Math.min(...asked.slice(1).map((at, i) => at - (asked[i] ?? 0)))).toBeGreaterThanOrEqual(1_000);
  });

  it("is back once it has answered, and not before", async () => {
    const { reach, come } = server(() => jitter);
    const states: string[] = [];
    reach.watch(() => states.push(reach.state()));
    reach.lose();
    await minute();
    expect(states).toEqual(["lost"]);
    come();
    await minute();
    expect(states).toEqual(["lost", "reachable"]);
  });
});

it("a page that went back in vain waits longer each time", async () => {
  const first = server(() => 0.5);
  first.reach.lose();
  const third = server(() => 0.5);
  third.reach.lose(3);
  await vi.advanceTimersByTimeAsync(8_000);
  expect([first.asked.length > 0, third.asked.length]).toEqual([true, 0]);
});

it("a hint of the browser that the network is back is followed at once, after a while of quiet", async () => {
  const { reach, asked, come } = server(() => 0.999);
  reach.lose(4);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(asked).toEqual([]);
  come();
  reach.doubt();
  await vi.advanceTimersByTimeAsync(1);
  expect(reach.state()).toBe("reachable");
});

it("nobody is asked while nobody looks", async () => {
  let hidden = true;
  const ask = vi.fn(async () => false);
  const reach = new Reach({ ask, isHidden: () => hidden });
  reach.lose();
  await minute();
  expect(ask).not.toHaveBeenCalled();
  hidden = false;
  reach.doubt();
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(1);
});
