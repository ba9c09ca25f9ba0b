import { describe, expect, it } from "vitest";
import { pathHere } from "./places";

describe("security F7: where a link may send a visitor who just signed in", () => {
  it("is a path of this site", () => {
    expect(pathHere("/topics/1/join?x=1#part")).toBe("/topics/1/join?x=1");
    expect(pathHere("/a/../b")).toBe("/b");
    expect(pathHere("/invite/%2F%2Fevil.example")).toBe("/invite/%2F%2Fevil.example");
  });

  it.each([
    undefined,
    null,
    "",
    "evil.example",
    "https://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\\evil.example",
    "/.//evil.example/phish",
    "/./\t/evil.example",
    "/.\\/evil.example",
    "/x/..//evil.example",
    "/x/%2e%2e//evil.example",
    "/%2e//evil.example",
    "/.//\\evil.example",
    "/././/user@evil.example:80/",
    "/..///evil.example",
  ])("is never another site: %j", (spelling) => {
    const path = pathHere(spelling);
    expect(path === null || URL.parse(path, "http://own.example")?.host === "own.example").toBe(true);
    expect(path?.startsWith("//") ?? false).toBe(false);
    expect(path ?? "").not.toContain("evil.example");
  });
});
