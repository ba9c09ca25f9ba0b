import { expect, it } from "vitest";
import { LIMITS } from "@/lib/contract/limits";
import { wordsOf, wordsProblem } from "./topic-demands";

it("a list of words has one per line, each once", () => {
  expect(wordsOf(" gold \n\nsilver coins\ngold\n")).toEqual(["gold", "silver coins"]);
  expect(wordsOf("")).toEqual([]);
});

it("says what is wrong with it as the API would", () => {
  const { reviewWords, reviewWord } = LIMITS.topic;
  const list = (count: number) => Array.from({ length: count }, (_, i) => `word ${i}`).join("\n");
  expect(wordsProblem(list(reviewWords))).toBeNull();
  expect(wordsProblem(list(reviewWords + 1))).toBe("tooManyWords");
  expect(wordsProblem("x".repeat(reviewWord))).toBeNull();
  expect(wordsProblem("x".repeat(reviewWord + 1))).toBe("longWord");
});
