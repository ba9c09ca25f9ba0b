import { expect, it } from "vitest";
import { waitsForReview } from "./topic-rules";

it.each([
  ["buy gold now", ["gold"], true],
  ["golden times", ["gold"], false],
  ["cheap gold coins", ["gold coins"], true],
  ["gold", [], false],
  ["gold", [""], false],
  ["", [""], false],
  ["도박사이트를 소개해요", ["도박"], true],
  ["날씨가 좋아요", ["도박"], false],
])("%s, %j: %s", (text, words, waits) => {
  expect(waitsForReview(text, words)).toBe(waits);
});
