import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../stack/settings";
import { envExample, settingsTables, withTables } from "./settings";

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

describe("the pages about settings", () => {
  it(".env.example is what `npm run docs` writes", () => {
    expect(envExample().split("\n"), "run npm run docs").toEqual(read(".env.example").split("\n"));
  });

  it("docs/deploy.md has the tables that `npm run docs` writes", () => {
    const page = read("docs/deploy.md");
    expect(withTables(page).split("\n"), "run npm run docs").toEqual(page.split("\n"));
  });

  it("set no value: a copy of .env.example changes nothing", () => {
    expect(envExample()).not.toMatch(/^[^#\n]/m);
  });

  it("say of each variable who reads it, its form and what happens without it", () => {
    const rows = settingsTables()
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    expect(rows.length).toBeGreaterThan(70);
    const isWhole = /^(\| [^|]*[^| ][^|]* ){5}\|$/;
    expect(rows.filter((row) => !isWhole.test(row.replaceAll("\\|", "")))).toEqual([]);
  });
});
