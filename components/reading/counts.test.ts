import { expect, it } from "vitest";
import { countText, unreadOfTopic } from "./counts";

it("a topic has one number, which ends at 99+, and none when it is muted", () => {
  const counts = { topicId: "t", isMuted: false, posts: 2, chat: 3, threads: 1 };
  expect(unreadOfTopic(counts)).toBe(6);
  expect(unreadOfTopic({ ...counts, isMuted: true })).toBe(0);
  expect(unreadOfTopic(undefined)).toBe(0);
  expect([0, 6, 99, 100, 250].map(countText)).toEqual(["", "6", "99", "99+", "99+"]);
  expect(countText(unreadOfTopic({ ...counts, posts: 100, chat: 100 }))).toBe("99+");
});
