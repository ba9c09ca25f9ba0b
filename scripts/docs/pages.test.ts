import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ROOT } from "../stack/settings";

/** Pages promise commands, paths and variables; each of them has to exist. */
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\0")
  .filter((file) => file && existsSync(path.join(ROOT, file)));
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
/** Part of circuits/SOUNDNESS.md, whose links begin there. */
const FRAGMENT = "circuits/soundness/METHOD.md";
const pages = tracked.filter((file) => file.endsWith(".md") && file !== FRAGMENT);
const { engines, scripts } = z
  .object({ engines: z.object({ node: z.string() }), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));

/** The anchor a heading gets where repositories are hosted. */
function anchorOf(heading: string): string {
  const text = heading.replace(/^#+ /, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Links of a page, outside of code, to files of the repository. */
function linksOf(page: string): string[] {
  const text = read(page).replace(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^(https?:|mailto:)/.test(target));
}

describe("the repository's pages", () => {
  it.each(pages)("%s links to what exists", (page) => {
    const broken = linksOf(page).filter((target) => {
      const [file = "", anchor] = target.split("#");
      const linked = file ? path.posix.join(path.posix.dirname(page), file) : page;
      if (!existsSync(path.join(ROOT, linked))) return true;
      if (!anchor) return false;
      return ![...read(linked).matchAll(/^#+ .*$/gm)].some(([heading]) => anchorOf(heading) === anchor);
    });
    expect(broken).toEqual([]);
  });

  it("name scripts of package.json only", () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, script = ""]) => ({ page, script })),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
  });

  it.each(["CONTRIBUTING.md", "docs/architecture.md", "docs/community.md", "docs/proofs.md"])(
    "%s names paths that exist",
    (page) => {
      const paths = [...read(page).matchAll(/`((?:[\w.@[\]-]+\/)+[\w.@[\]-]*)`/g)].map(
        ([, found = ""]) => found,
      );
      expect(paths.length).toBeGreaterThan(2);
      expect(
        paths.filter((one) => !/^(\.next|dist)\//.test(one) && !existsSync(path.join(ROOT, one))),
      ).toEqual([]);
    },
  );

  it("tell contributors what each section of npm test checks", () => {
    const sections = [...read("scripts/test.ts").matchAll(/^\s*(?:\{ )?name: "([\w-]+)"/gm)];
    const told = [...read("CONTRIBUTING.md").matchAll(/^\| `([\w-]+)` +\|/gm)];
    expect(sections.length).toBeGreaterThan(10);
    expect(told.map(([, name]) => name).toSorted()).toEqual(sections.map(([, name]) => name).toSorted());
  });
});

it(".nvmrc names a Node that package.json and the pages name", () => {
  const major = read(".nvmrc").trim();
  expect(engines.node).toMatch(new RegExp(`(^|\\s)\\^${major}\\.`));
  for (const page of ["README.md", "CONTRIBUTING.md"]) expect(read(page)).toContain(`Node ${major}`);
});
