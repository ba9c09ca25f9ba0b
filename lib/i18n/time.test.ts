import { describe, expect, it } from "vitest";
import { words } from "./english";
import { duration, relativeTime, tokenAmount } from "./time";

const now = new Date("2026-03-10T12:00:00.000Z");
const ago = (ms: number) => relativeTime(words, new Date(now.getTime() - ms), now);

describe("words for moments and amounts", () => {
  it("are relative under a week", () => {
    expect(ago(-5000)).toBe("just now");
    expect(ago(-30 * 86_400_000)).toBe("9 Apr");
    expect(ago(59_000)).toBe("just now");
    expect(ago(5 * 60_000)).toBe("5 min ago");
    expect(ago(3 * 3_600_000)).toBe("3 h ago");
    expect(ago(30 * 3_600_000)).toBe("yesterday");
    expect(ago(6 * 86_400_000)).toBe("6 days ago");
    expect(ago(8 * 86_400_000)).toBe("2 Mar");
    expect(ago(400 * 86_400_000)).toBe("3 Feb 2025");
  });

  it("write token amounts exactly, with two decimals at least", () => {
    expect(tokenAmount(words, "100000", 6)).toBe("0.10");
    expect(tokenAmount(words, "1", 6)).toBe("0.000001");
    expect(tokenAmount(words, "1234500000", 6)).toBe("1,234.50");
  });

  it("write durations", () => {
    expect(duration(words, 4210)).toBe("4.2 s");
    expect(duration(words, 65_000)).toBe("1 min 05 s");
  });
});
