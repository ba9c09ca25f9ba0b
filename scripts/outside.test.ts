import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./stack/settings";

const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0");
const own = path.relative(ROOT, import.meta.filename);
const sources = tracked.filter(
  (file) => file !== own && /(\.(ts|tsx|js|mjs|json|sh|toml)|^\.ci\/run)$/.test(file),
);

/** Paths relative to a file: imports, and paths joined to the file's folder. */
const RELATIVE = [
  /(?:\bfrom|\bimport|\brequire|\bmock)\s*\(?\s*["'](\.[^"']*)["']/g,
  /import\.meta\.(?:dirname|filename)((?:\s*,\s*["'`][^"'`]*["'`])+)/g,
  /new URL\(\s*["'`]([^"'`]*)["'`]\s*,\s*import\.meta\.url/g,
  /(?:\$0|BASH_SOURCE[^"]*)"?\)?(\/\.\.[^"'\s]*)/g,
  /\bpath\s*=\s*"(\.[^"]*)"/g,
];

/** Finds paths in a source that lead out of the repository, as `file: path`. */
function climbers(file: string, text: string): string[] {
  return RELATIVE.flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, found = ""]) => {
      const parts = found.includes(",") ? [...found.matchAll(/["'`]([^"'`]*)["'`]/g)] : [["", found]];
      return path.posix.join(...parts.map(([, part = ""]) => part.replace(/^\/(?=\.\.)/, "")));
    })
    .filter((taken) => path.posix.join(path.posix.dirname(file), taken).startsWith(".."))
    .map((taken) => `${file}: ${taken}`);
}

it("finds paths that lead out", () => {
  expect(climbers("lib/a.ts", 'import x from "../../b";')).toEqual(["lib/a.ts: ../../b"]);
  expect(climbers("lib/a.ts", 'path.join(import.meta.dirname, "..", "..", "b")')).toHaveLength(1);
  expect(climbers("lib/a.ts", 'path.resolve(import.meta.dirname, "../../b/crs");')).toHaveLength(1);
  expect(climbers("lib/a.ts", 'new URL("../../b", import.meta.url)')).toHaveLength(1);
  expect(climbers("lib/a.ts", 'import x from "../b"; path.join(import.meta.dirname, "..")')).toEqual([]);
});

it("structure 1: nothing in the repository reads outside it", () => {
  expect(sources.length).toBeGreaterThan(1_000);
  const found = sources.flatMap((file) => climbers(file, readFileSync(path.join(ROOT, file), "utf8")));
  expect(found).toEqual([]);
});
