import { describe, expect, it } from "vitest";
import { flat } from "./catalogues";
import { en } from "./en";
import { ko } from "./ko";

/** Wordings that stumbled, and terms that have another name here (docs/writing.md). */
const refused = {
  en: [
    /Leaves this device/,
    /Going on charges/,
    /Go on on/,
    /\btold devices\b|device is told/i,
    /\bnamed you\b/,
    /of at most .* chosen/,
    /Make plain member/,
    /\bno (member|address) any more\b/,
    /leaves the text/,
    /do not come back/,
    /Nothing was sent, signed or paid/,
    /development SRS/,
    /ZK-SNARK/i,
  ],
  ko: [/보증인/, /관문/, /지문/],
} as const;

describe.each([
  ["en", flat(en)],
  ["ko", flat(ko)],
] as const)("%s", (language, sentences) => {
  it.each(refused[language])("has no %s", (pattern) => {
    expect(sentences.filter(([, text]) => pattern.test(text)).map(([name]) => name)).toEqual([]);
  });
});

it("finds what it looks for", () => {
  const worst = "Leaves this device: what a development SRS made.";
  expect(refused.en.filter((pattern) => pattern.test(worst))).toHaveLength(2);
});
