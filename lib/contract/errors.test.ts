import { expect, it } from "vitest";
import { errorCodes, errors, meaningOf } from "./errors";

it("gives every code a sentence of its own", () => {
  const sentences = errorCodes.map((code) => errors[code].message);
  expect(new Set(sentences).size).toBe(errorCodes.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

it("documents a code apart only where there is more to say than its sentence", () => {
  expect(errorCodes.filter((code) => errors[code].meaning === errors[code].message)).toEqual([]);
  expect(meaningOf("not_a_member")).toBe(errors.not_a_member.message);
  expect(meaningOf("topic_not_found")).toBe(errors.topic_not_found.meaning);
});
