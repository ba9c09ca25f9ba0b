import { describe, expect, it } from "vitest";
import { nextPath } from "./next-path";

describe("where to go on after signing in", () => {
  it("is a path of this site", () => {
    expect(nextPath("/topics/1/join?x=1")).toBe("/topics/1/join?x=1");
  });

  it("is never another site", () => {
    for (const bad of [
      undefined,
      "",
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "javascript:alert(1)",
      "/\t/evil.example",
      "/\n/evil.example",
    ]) {
      expect(nextPath(bad)).toBe("/");
    }
  });
});
