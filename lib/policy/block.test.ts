import { describe, expect, it } from "vitest";
import { isFolded } from "./block";

describe("what folds away", () => {
  it.each([
    ["member", { blocked: true, deleted: false }, "member", true],
    ["outsider of a public topic", { blocked: true, deleted: false }, null, true],
    ["reader who blocked nobody", { blocked: false, deleted: false }, "member", false],
    ["admin", { blocked: true, deleted: false }, "admin", false],
    ["owner", { blocked: true, deleted: false }, "owner", false],
    ["reader of a deleted text", { blocked: true, deleted: true }, "member", false],
  ] as const)("for a %s", (_, text, role, expected) => {
    expect(isFolded(text, role)).toBe(expected);
  });
});
