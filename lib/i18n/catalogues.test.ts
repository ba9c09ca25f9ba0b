import compile from "icu-minify/compile";
import { describe, expect, it } from "vitest";
import { allGroups, compiledGroups } from "./catalogues";
import { chooseLocale } from "./choose";
import { en } from "./en";
import { ko } from "./ko";
import { refusals } from "./ko/refusals";
import { placesOf } from "./places";
import { locales } from "./words";

type Tree = { readonly [name: string]: string | Tree };

/** Every sentence of a catalogue with its name. */
function sentences(tree: Tree, path = ""): (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === "string" ? [[`${path}${name}`, value] as const] : sentences(value, `${path}${name}.`),
  );
}

/** Formulas: the same in every language. */
const sameEverywhere = new Set(["attested.formulaCode", "attested.formulaAddress"]);

/** How many words of Latin letters a sentence has beside its places. */
function wordsOfText(sentence: string): number {
  return [...sentence.replace(/\{[^{}]*\}/g, "").matchAll(/\p{Script=Latin}{2,}/gu)].length;
}

describe("catalogues", () => {
  it("have sentences that can be read, none of them empty", () => {
    const all = [...sentences(en), ...sentences(ko)];
    expect(all.length).toBeGreaterThan(1000);
    for (const [name, sentence] of all) {
      expect(sentence.trim(), name).not.toBe("");
      expect(() => compile(sentence), name).not.toThrow();
    }
  });

  it("say in every other language what English says: the same names, with the same places", () => {
    const english = new Map(sentences(en));
    for (const others of [ko]) {
      const all = sentences(others);
      expect(all.map(([name]) => name).toSorted()).toEqual([...english.keys()].toSorted());
      const wrong = all.filter(
        ([name, text]) => placesOf(text).join() !== placesOf(english.get(name) ?? "").join(),
      );
      expect(wrong.map(([name]) => name)).toEqual([]);
    }
  });

  it("are not left in English", () => {
    const english = new Map(sentences(en));
    const left = sentences(ko).filter(
      ([name, text]) => text === english.get(name) && wordsOfText(text) > 2 && !sameEverywhere.has(name),
    );
    expect(left.map(([name]) => name)).toEqual([]);
    for (const [name, text] of sentences(ko))
      if (wordsOfText(text) > 2 && !sameEverywhere.has(name))
        expect(text, name).toMatch(/\p{Script=Hangul}/u);
    for (const [code, text] of Object.entries(refusals)) expect(text, code).toMatch(/\p{Script=Hangul}/u);
  });

  it("are compiled group by group, once", () => {
    const [first, second] = [compiledGroups("en", ["common"]), compiledGroups("en", ["common", "nav"])];
    expect(Object.keys(second)).toEqual(["common", "nav"]);
    expect(second.common).toBe(first.common);
    expect(first.common?.name).toBe("Parley");
    expect(Array.isArray(first.common?.members)).toBe(true);
    expect(allGroups).toContain("feed");
  });

  it("consist of what React passes to the browser: plain objects", () => {
    const odd: unknown[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) odd.push(value);
      for (const child of Object.values(value)) visit(child);
    };
    visit(compiledGroups("en", allGroups));
    expect(odd).toEqual([]);
  });
});

describe("the language of a reader", () => {
  it("is what they chose, else what their browser asks for, else the first", () => {
    for (const locale of locales) expect(chooseLocale(locale, "de")).toBe(locale);
    expect(chooseLocale(undefined, "en-GB,en;q=0.8")).toBe("en");
    expect(chooseLocale(undefined, "ko-KR,ko;q=0.9,en;q=0.8")).toBe("ko");
    expect(chooseLocale("en", "ko-KR")).toBe("en");
    expect(chooseLocale(undefined, "de, en;q=0.5, ko;q=0.4")).toBe("en");
    expect(chooseLocale("tlh", null)).toBe("en");
    expect(chooseLocale(undefined, "*, not a tag;q=x, ,,;;")).toBe("en");
  });
});
