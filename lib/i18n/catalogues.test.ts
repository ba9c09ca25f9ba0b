import compile from "icu-minify/compile";
import { describe, expect, it } from "vitest";
import { allGroups, compiledGroups } from "./catalogues";
import { chooseLocale } from "./choose";
import { en } from "./en";
import { locales } from "./words";

type Tree = { readonly [name: string]: string | Tree };

/** Every sentence of a catalogue with its name. */
function sentences(tree: Tree, path = ""): (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === "string" ? [[`${path}${name}`, value] as const] : sentences(value, `${path}${name}.`),
  );
}

describe("catalogues", () => {
  it("have sentences that can be read, none of them empty", () => {
    const all = sentences(en);
    expect(all.length).toBeGreaterThan(500);
    for (const [name, sentence] of all) {
      expect(sentence.trim(), name).not.toBe("");
      expect(() => compile(sentence), name).not.toThrow();
    }
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
    expect(chooseLocale("tlh", null)).toBe("en");
    expect(chooseLocale(undefined, "*, not a tag;q=x, ,,;;")).toBe("en");
  });
});
