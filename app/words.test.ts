import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { flat } from "@/lib/i18n/catalogues";
import { en } from "@/lib/i18n/en";
import { proofGroups, shellGroups } from "./_parts/words";

/** Pages bring the sentences their components use in the browser; what one forgets would be shown by its name. */
const root = path.resolve(import.meta.dirname, "..");

interface Source {
  readonly isClient: boolean;
  readonly groups: ReadonlySet<string>;
  readonly imports: readonly string[];
}

const sources = new Map<string, Source>();
const names = new Set(flat(en).map(([name]) => name));

/** Names of sentences in a source: whole ones, and patterns of those with parts in `${…}`. */
function namesIn(text: string) {
  const whole = [...text.matchAll(/"(\w+\.[\w.]+)"/g)].flatMap(([, name = ""]) =>
    names.has(name) ? [name] : [],
  );
  const patterns = [...text.matchAll(/`(\w+\.(?:[\w.]|\$\{[^}]*\})+)`/g)].map(
    ([, pattern = ""]) =>
      new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll(/\$\{[^}]*\}/g, "\\w+")}$`),
  );
  return { whole, patterns };
}

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const text = readFileSync(file, "utf8");
  const source = {
    isClient: /^"use client";/.test(text),
    groups: new Set([...text.matchAll(/\bt(?:\.rich)?\(\s*["`](\w+)\./g)].map(([, group = ""]) => group)),
    // Types are gone in the browser.
    imports: [...text.matchAll(/(import|export)(\s+type)?\b[^;"]*?\(?\s*"([^"]+)"/g)]
      .filter(([, , type]) => !type)
      .flatMap(([, , , target = ""]) => resolved(file, target)),
  };
  sources.set(file, source);
  return source;
}

function resolved(from: string, target: string): string[] {
  if (!target.startsWith("@/") && !target.startsWith(".")) return [];
  const base = target.startsWith("@/") ? path.join(root, target.slice(2)) : path.resolve(from, "..", target);
  return [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`].filter((file) =>
    existsSync(file),
  );
}

/** Groups used below a file by what runs in the browser. */
function groupsBelow(files: readonly string[]): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string, inClient: boolean): void => {
    const source = sourceOf(file);
    const isClient = inClient || source.isClient;
    const key = `${file} ${isClient}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (isClient) for (const group of source.groups) found.add(group);
    for (const target of source.imports) visit(target, isClient);
  };
  for (const file of files) visit(file, false);
  return found;
}

/** Groups that a page brings, beside those of the frame. */
function brought(page: string): readonly string[] {
  const [, named = ""] = /\bwithWords\(([^;]*)\);/.exec(readFileSync(page, "utf8")) ?? [];
  return [
    ...shellGroups,
    ...(named.includes("proofGroups") ? proofGroups : []),
    ...[...named.matchAll(/"(\w+)"/g)].map(([, group = ""]) => group),
  ];
}

const pages = readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)(page|loading|error|not-found)\.tsx$/.test(file))
  .map((file) => `app/${file}`)
  .toSorted();

describe("the sentences of each page", () => {
  it("are looked for in every page", () => {
    expect(pages.length).toBeGreaterThan(15);
  });

  it.each(pages)("%s", (page) => {
    const file = path.join(root, page);
    const used = groupsBelow([file]);
    for (const group of brought(file)) used.delete(group);
    expect(
      [...used].filter((group) => group in en),
      "groups its withWords lacks",
    ).toEqual([]);
  });

  it("the frame brings its own", () => {
    const used = groupsBelow([path.join(root, "app/layout.tsx")]);
    for (const group of shellGroups) used.delete(group);
    expect([...used].filter((group) => group in en)).toEqual([]);
  });
});

it("every sentence is said somewhere", () => {
  const texts = ["app", "components", "lib", "scripts"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && file !== "i18n/places.ts")
      .map((file) => namesIn(readFileSync(path.join(root, folder, file), "utf8"))),
  );
  const whole = new Set(texts.flatMap((text) => text.whole));
  const patterns = texts.flatMap((text) => text.patterns);
  const silent = [...names].filter((name) => !whole.has(name) && !patterns.some((one) => one.test(name)));
  expect(silent).toEqual([]);
});
