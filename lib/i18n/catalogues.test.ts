import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import compile from "icu-minify/compile";
import { afterEach, describe, expect, it, vi } from "vitest";
import { errorCodes } from "@/lib/contract/errors";
import { hiddenFacts } from "@/lib/proofs/hidden";
import { circuits } from "@/lib/proofs/registry";
import { revealedFacts } from "@/lib/proofs/revealed";
import { allGroups, compileGroup, flat, sentencesOf, type Tree } from "./catalogues";
import { chooseLocale } from "./choose";
import { en } from "./en";
import { ko } from "./ko";
import refusals from "./ko/refusals.json" with { type: "json" };
import { locales } from "./words";

const english = new Map(flat(en));
/** Every language but English. */
const translations: readonly (readonly [string, Tree])[] = [["ko", ko]];

/**
 * What the places of a sentence take, by name. In compiled form a place is a list of its name, its kind (none: any text),
 * and the options of its kind.
 */
function placesOf(sentence: string): Map<string, string> {
  const kinds = new Map([[1, "string"], ...[2, 3, 4].map((kind) => [kind, "number"] as const)]);
  const found = new Map<string, string>();
  const visit = (node: unknown): void => {
    if (!Array.isArray(node)) return;
    const [name, kind, options]: unknown[] = node;
    if (typeof name !== "string") return;
    const takes = kind === undefined ? "Text" : kinds.get(Number(kind));
    if (!takes) throw new Error(`Moments are written by lib/i18n/time.ts, not by a sentence: ${sentence}`);
    if (found.get(name) !== "number") found.set(name, takes);
    for (const option of typeof options === "object" ? Object.values(options ?? {}) : [])
      for (const inner of Array.isArray(option) ? option : []) visit(inner);
  };
  const compiled = compile(sentence);
  for (const node of Array.isArray(compiled) ? compiled : []) visit(node);
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Formulas: the same in every language. */
const sameEverywhere = new Set(["attested.formulaCode", "attested.formulaAddress"]);

/** How many words of Latin letters a sentence has beside its places. */
function wordsOfText(sentence: string): number {
  return [...sentence.replace(/\{[^{}]*\}/g, "").matchAll(/\p{Script=Latin}{2,}/gu)].length;
}

describe("catalogues", () => {
  it("have sentences that can be read, none of them empty", () => {
    const all = [...english, ...flat(ko)];
    expect(all.length).toBeGreaterThan(1000);
    for (const [name, sentence] of all) {
      expect(sentence.trim(), name).not.toBe("");
      expect(() => placesOf(sentence), name).not.toThrow();
    }
  });

  it.each(["en", "ko"])("have every file of %s, and no group in two of them", (language) => {
    const folder = path.join(import.meta.dirname, language);
    const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
    const groups = files
      .filter((file) => !["categories.json", "refusals.json"].includes(file))
      .flatMap((file) => Object.keys(JSON.parse(readFileSync(path.join(folder, file), "utf8"))));
    expect(Object.keys(language === "en" ? en : ko).toSorted()).toEqual(groups.toSorted());
  });

  it("are typed: what a sentence takes is in places.ts", async () => {
    const lines = [...english].flatMap(([name, sentence]) => {
      const places = [...placesOf(sentence)].map(([place, takes]) => `readonly ${place}: ${takes}`);
      return places.length > 0 ? [`  "${name}": { ${places.join("; ")} };`] : [];
    });
    const text = [
      "/** Generated from lib/i18n/en by `npx vitest run --project unit lib/i18n -u`. */",
      "",
      "type Text = string | number;",
      "",
      "/** What each sentence takes. */",
      "export interface Places {",
      ...lines,
      "}",
      "",
    ].join("\n");
    await expect(text).toMatchFileSnapshot("./places.ts");
  });

  it.each(translations)("say in %s what English says: the same names", (_, tree) => {
    const names = new Set(flat(tree).map(([name]) => name));
    const missing = [...english.keys()].filter((name) => !names.has(name));
    expect(missing, "without a translation").toEqual([]);
    expect(
      [...names].filter((name) => !english.has(name)),
      "not in English",
    ).toEqual([]);
  });

  it.each(translations)("say in %s what English says: the same places", (_, tree) => {
    for (const [name, sentence] of flat(tree)) {
      const [places, wanted] = [placesOf(sentence), placesOf(english.get(name) ?? "")];
      expect([...places.keys()], name).toEqual([...wanted.keys()]);
      // A sentence that takes any text takes a number too, but not the other way round.
      for (const [place, takes] of places)
        if (takes !== "Text") expect(takes, `${place} of ${name}`).toBe(wanted.get(place));
    }
  });

  it("are not left in English", () => {
    const korean = flat(ko).filter(([name, text]) => wordsOfText(text) > 2 && !sameEverywhere.has(name));
    for (const [name, text] of korean) {
      expect(text, name).not.toBe(english.get(name));
      expect(text, name).toMatch(/\p{Script=Hangul}/u);
    }
    for (const [code, text] of Object.entries(refusals)) expect(text, code).toMatch(/\p{Script=Hangul}/u);
  });

  it("are compiled group by group, once", () => {
    const [first, second] = [sentencesOf("en", ["common"]), sentencesOf("en", ["common", "nav"])];
    expect(second["nav.home"]).toBe("Home");
    expect(second["common.members"]).toBe(first["common.members"]);
    expect(first["common.name"]).toBe("Parley");
    expect(first["nav.home"]).toBeUndefined();
    expect(Array.isArray(first["common.members"])).toBe(true);
    expect(allGroups).toContain("feed");
  });

  it("consist of what React passes to the browser: plain objects", () => {
    const odd: unknown[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) odd.push(value);
      for (const child of Object.values(value)) visit(child);
    };
    visit(sentencesOf("en", allGroups));
    expect(odd).toEqual([]);
  });
});

describe("a sentence without a translation", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it("is English, with a warning where somebody develops", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const partly: Tree = { nav: { home: "홈", search: "" } };
    expect(compileGroup("nav", partly)).toMatchObject({ "nav.home": "홈", "nav.search": "Search" });
    expect(warn).not.toHaveBeenCalled();
    vi.stubEnv("NODE_ENV", "development");
    expect(compileGroup("nav", partly)["nav.explore"]).toBe("Explore");
    expect(warn.mock.calls.flat()).toContain("No translation of nav.explore.");
    expect(warn.mock.calls.flat()).not.toContain("No translation of nav.home.");
    expect(compileGroup("time", {})["time.now"]).toBe("just now");
  });
});

/**
 * Codes whose sentence is the server's in every language: it names the field and its rule, or only a program that calls
 * the API by hand can cause it.
 */
const serversOwn = [
  "invalid_request",
  "invalid_json",
  "proof_malformed",
  "proof_not_canonical",
  "unknown_circuit",
  "nothing_to_change",
  "not_your_upload",
  "address_not_allowed",
  "poll_option_unknown",
  "idempotency_mismatch",
  "method_not_allowed",
  "unsupported_media_type",
  "not_an_image",
  "too_many_streams",
  "upstream_failed",
  "not_ready",
];

it("every refusal that people meet has a Korean sentence, and `unknown` an answer without a code", () => {
  const people = errorCodes.filter((code) => !serversOwn.includes(code));
  expect(Object.keys(refusals).toSorted()).toEqual([...people, "unknown"].toSorted());
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

it("says what a proof is, reveals and hides as the guides say it", () => {
  expect(en.seal.hides).toEqual(hiddenFacts);
  expect(en.seal.reveals).toEqual(revealedFacts);
  for (const { id, displayName, description } of Object.values(circuits)) {
    expect(en.circuit[id]).toEqual({ name: displayName, about: description });
  }
});
