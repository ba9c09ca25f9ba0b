import { describe, expect, it } from "vitest";
import { minutesUntilRecordable, recordDay, recordRefusal } from "./record";

const now = new Date("2026-11-22T12:00:00.000Z");
const ago = (ms: number) => new Date(now.getTime() - ms);
const fine = { createdAt: ago(3_600_000), now, recorded: false, today: 2 };

describe("the rules of recording", () => {
  it("let a post of exactly one hour through, with two records that day", () => {
    expect(recordRefusal(fine)).toBeNull();
  });

  it("are asked in their order: age, already, three a day", () => {
    const all = { ...fine, createdAt: ago(3_599_999), recorded: true, today: 3 };
    expect(recordRefusal(all)).toBe("record_too_new");
    expect(recordRefusal({ ...all, createdAt: fine.createdAt })).toBe("record_already");
    expect(recordRefusal({ ...fine, today: 3 })).toBe("record_limit");
  });

  it.each([
    [0, 60],
    [60_000, 59],
    [60_001, 59],
    [3_599_999, 1],
    [3_600_000, 0],
    [9_999_999, 0],
  ])("after %i ms there are %i minutes left", (age, minutes) => {
    expect(minutesUntilRecordable({ createdAt: ago(age), now })).toBe(minutes);
  });

  it("count days by UTC", () => {
    expect(recordDay(new Date("2026-11-22T23:59:59.999Z"))).toBe("2026-11-22");
    expect(recordDay(new Date("2026-11-23T01:00:00.000+02:00"))).toBe("2026-11-22");
  });
});
