import { expect, it } from "vitest";
import { words } from "@/lib/i18n/english";
import { audienceOf, opennessHint } from "./audience";
import { opennessOf } from "./openness";

const me = { nickname: "hana_k", domains: [] };

it.each([
  ["public", me, "Anyone on the internet can read this. Shown as hana_k, without a domain."],
  ["private", me, "Members of Acme can read this. Shown as hana_k, without a domain."],
  ["secret", me, "Members of Acme can read this. Shown as hana_k, without a domain."],
  [
    "public",
    { ...me, domains: ["acme.example", "b.example"] },
    "Anyone on the internet can read this. Shown as hana_k with @acme.example and @b.example.",
  ],
] as const)("in a %s topic: %o", (visibility, who, sentence) => {
  expect(audienceOf(words, { title: "Acme", visibility }, who)).toBe(sentence);
});

it.each([
  ["public", false, "Anyone on the internet can find it, read it and join."],
  [
    "public",
    true,
    "Anyone on the internet can find it and read it. Only people who prove what it asks for can join and write.",
  ],
  ["members", false, "Anyone can find it and join. Only members can read it."],
  [
    "members",
    true,
    "Anyone can find it. Whoever proves what it asks for joins at once, and only members can read it.",
  ],
  ["private", true, words.t("topic.visibilityHints.private")],
] as const)("a %s topic, gated %s", (openness, isGated, sentence) => {
  expect(opennessHint(words, openness, isGated)).toBe(sentence);
});

it.each([
  ["public", false, "public"],
  ["private", true, "private"],
  ["private", false, "members"],
  ["secret", false, "secret"],
] as const)("%s, approval %s: %s", (visibility, requiresApproval, openness) => {
  expect(opennessOf({ visibility, requiresApproval })).toBe(openness);
});
