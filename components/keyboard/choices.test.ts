import { expect, it } from "vitest";
import { words } from "@/lib/i18n/english";
import { choicesOf, matching } from "./choices";

const topics = [
  { id: "t1", title: "People at Acme" },
  { id: "t2", title: "Acme alumni" },
];
const hrefs = (isGuest: boolean, typed: string) =>
  matching(choicesOf(words, { isGuest, topics: isGuest ? [] : topics }), typed, `Search for “${typed}”`).map(
    ({ href }) => href,
  );

it("lists one's topics before the pages, and only pages that a guest has", () => {
  expect(hrefs(false, "").slice(0, 3)).toEqual(["/topics/t1", "/topics/t2", "/"]);
  expect(hrefs(false, "")).toContain("/profile");
  expect(hrefs(true, "")).toContain("/sign-in");
  expect(hrefs(true, "")).not.toContain("/profile");
});

it("finds letters anywhere in a name, beginnings of words first, and offers to search for them", () => {
  expect(hrefs(false, " ACME ")).toEqual(["/topics/t1", "/topics/t2", "/search?q=ACME"]);
  expect(hrefs(false, "le")).toEqual(["/topics/t1", "/alerts", "/profile", "/search?q=le"]);
  expect(hrefs(false, "alu")).toEqual(["/topics/t2", "/search?q=alu"]);
  expect(hrefs(false, "a&b")).toEqual(["/search?q=a%26b"]);
});

it("puts names whose words begin with the letters first", () => {
  const choices = ["Regatta", "Ahoy at"].map((label) => ({ key: label, label, kind: "", href: label }));
  expect(matching(choices, "at", "").map(({ label }) => label)).toEqual(["Ahoy at", "Regatta", ""]);
});
