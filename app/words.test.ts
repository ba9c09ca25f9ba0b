import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "@/lib/i18n/en";
import { placesOf } from "@/lib/i18n/places";
import { proofGroups, shellGroups } from "./_parts/words";

/** Pages bring the sentences their components use in the browser; what one forgets would be shown by its name. */
const root = path.resolve(import.meta.dirname, "..");

interface Source {
  readonly isClient: boolean;
  readonly groups: ReadonlySet<string>;
  readonly imports: readonly string[];
}

const sources = new Map<string, Source>();

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

/** Groups of the nearest layout that brings words. */
function brought(folder: string): readonly string[] {
  for (let at = folder; at.startsWith(path.join(root, "app")); at = path.dirname(at)) {
    const layout = path.join(at, "layout.tsx");
    const call = existsSync(layout) && /<WithWords\s+groups=\{([^}]*)\}/.exec(readFileSync(layout, "utf8"));
    if (!call) continue;
    const [, groups = ""] = call;
    const proof = groups.includes("proofGroups") ? proofGroups : [];
    return [...proof, ...[...groups.matchAll(/"(\w+)"/g)].map(([, group = ""]) => group)];
  }
  return [];
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
    for (const group of [...shellGroups, ...brought(path.dirname(file))]) used.delete(group);
    expect(
      [...used].filter((group) => group in en),
      "groups missing from its layout",
    ).toEqual([]);
  });

  it("the frame brings its own", () => {
    const used = groupsBelow([path.join(root, "app/layout.tsx")]);
    for (const group of shellGroups) used.delete(group);
    expect([...used].filter((group) => group in en)).toEqual([]);
  });
});

function sentenceAt(name: string): string | undefined {
  let at: unknown = en;
  for (const part of name.split("."))
    at = typeof at === "object" && at !== null ? Reflect.get(at, part) : undefined;
  return typeof at === "string" ? at : undefined;
}

describe("the values of sentences", () => {
  const files = ["app", "components", "lib", "e2e", "scripts"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.join(root, folder, file)),
  );

  it("are those that the sentence has places for", () => {
    const wrong: string[] = [];
    let looked = 0;
    for (const file of files) {
      // A name without a variable part, with the names of its values.
      for (const [call, name = "", values] of readFileSync(file, "utf8")
        .replace(/^\s*\/\/.*$/gm, "")
        .matchAll(/\bt\(\s*"([\w.]+)",?\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\},?\s*)?\)/g)) {
        const sentence = sentenceAt(name);
        if (sentence === undefined) continue;
        looked += 1;
        // Only what stands at the top of the object: a value may be an object or a call with commas of its own.
        const given = [
          ...(values ?? "")
            .replace(/\([^()]*(\([^()]*\)[^()]*)*\)|\{[^{}]*\}|`[^`]*`|"[^"]*"/g, "x")
            .matchAll(/(?:^|,)\s*(\w+)\s*(?=[:,}]|$)/g),
        ]
          .map(([, place = ""]) => place)
          .toSorted();
        if (given.join() !== placesOf(sentence).join()) wrong.push(`${path.relative(root, file)}: ${call}`);
      }
    }
    expect(looked).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  });
});
