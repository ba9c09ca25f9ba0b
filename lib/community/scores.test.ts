import { describe, expect, it } from "vitest";
import { postScore, topicScore } from "./scores";

describe("postScore", () => {
  const at = new Date("2026-01-01T00:00:00.500Z");
  const age = (1_767_225_600.5 - 1_134_028_003) / 45_000;

  // Bit for bit: hot order must not depend on which process computed it.
  it.each([
    [0, age],
    [1, age],
    [-1, age],
    [10, 1 + age],
    [-10, -1 + age],
    [100, 2 + age],
    [7, Math.log10(7) + age],
    [-3, -Math.log10(3) + age],
  ])("net %i", (votes, score) => {
    expect(postScore(votes, at)).toBe(score);
  });

  it("weighs ten times the votes like 45,000 seconds", () => {
    const later = new Date(at.getTime() + 45_000_000);
    expect(postScore(10, at)).toBeCloseTo(postScore(1, later), 12);
  });
});

describe("topicScore", () => {
  const createdAt = new Date("2026-01-01T00:00:00Z");
  const daysLater = (days: number) => new Date(createdAt.getTime() + days * 86_400_000);

  it.each([
    [1, 0, 0, 2 + 10],
    [5, 4, 0, 10 + 12 + 10],
    [1, 0, 2, 2 + 5],
    [3, 1, 6, 6 + 3 + 10 / 3],
    [1, 0, 0.5, 2 + 10 / Math.log2(2.5)],
  ])("%i members, %i posts, %d days", (members, recentPosts, days, score) => {
    expect(topicScore({ members, recentPosts, createdAt, now: daysLater(days) })).toBe(score);
  });

  it("treats a topic from the future as new", () => {
    expect(topicScore({ members: 1, recentPosts: 0, createdAt, now: daysLater(-3) })).toBe(12);
  });
});
