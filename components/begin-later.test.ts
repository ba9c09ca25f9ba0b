import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { beginLater } from "./begin-later";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const stop = vi.fn();
const start = vi.fn(() => stop);
beforeEach(() => vi.clearAllMocks());

describe("beginLater", () => {
  it("starts after the page has loaded, and stops", async () => {
    const end = beginLater(async () => start);
    await vi.advanceTimersByTimeAsync(1499);
    expect(start).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(start).toHaveBeenCalledOnce();
    expect(stop).not.toHaveBeenCalled();
    end();
    expect(stop).toHaveBeenCalledOnce();
  });

  it("starts nothing once it was stopped: before the script is asked for, and while it loads", async () => {
    const load = vi.fn(async () => start);
    beginLater(load)();
    await vi.advanceTimersByTimeAsync(2000);
    expect(load).not.toHaveBeenCalled();
    let arrive: (value: typeof start) => void = () => {};
    const end = beginLater(() => new Promise((resolve) => (arrive = resolve)));
    await vi.advanceTimersByTimeAsync(2000);
    end();
    arrive(start);
    await vi.advanceTimersByTimeAsync(0);
    expect(start).not.toHaveBeenCalled();
  });

  it("does without a script that does not load", async () => {
    const end = beginLater(async () => {
      throw new Error("no network");
    });
    await vi.advanceTimersByTimeAsync(2000);
    expect(end).not.toThrow();
  });
});
