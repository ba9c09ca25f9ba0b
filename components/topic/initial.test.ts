import { expect, it } from "vitest";
import { initialOf } from "./initial";

it.each([
  ["Acme, among ourselves", "A"],
  ["“zero knowledge” in practice", "Z"],
  ["한국어 모임", "한"],
  ["42 answers", "4"],
  ["🌊 waves", "W"],
  ["🌊🌊", "🌊"],
  ["", ""],
])("the initial of %j is %j", (title, initial) => {
  expect(initialOf(title)).toBe(initial);
});
