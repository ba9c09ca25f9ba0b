import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { benchNames } from "./names";
import { markers, type Section, withSection } from "./report";

const section: Section = {
  name: "api",
  where: "Two cores.",
  notes: ["Quiet."],
  rows: [
    { name: "feed a|b", value: 0.5, unit: "ratio", limit: { least: 0.7 } },
    { name: "list", value: 0.8, unit: "ratio", limit: { least: 0.7 } },
    { name: "rate", value: 1234, unit: "/s" },
  ],
};
const [begin, end] = markers("api");

it("writes between the markers and keeps the rest", () => {
  const before = `# Title\n\n${begin}\nold\n${end}\n\nBy hand.\n`;
  const after = withSection(before, section);
  expect(after).toBe(
    [
      "# Title",
      "",
      begin,
      "Two cores.",
      "",
      "- Quiet.",
      "",
      "| measure | value | limit | met |",
      "|---|---:|---|---|",
      "| feed a\\|b | 0.50 | at least 0.70 | **no** |",
      "| list | 0.80 | at least 0.70 | yes |",
      "| rate | 1,234/s |  |  |",
      end,
      "",
      "By hand.",
      "",
    ].join("\n"),
  );
  expect(withSection(after, section)).toBe(after);
});

it("refuses a document without the place", () => {
  expect(() => withSection("# Title", section)).toThrow("no place for api");
});

it("docs/benchmarks.md has a place for every bench, and its part by hand", () => {
  const document = readFileSync(path.resolve(import.meta.dirname, "../../docs/benchmarks.md"), "utf8");
  for (const name of benchNames) expect(withSection(document, { ...section, name })).toContain("| rate |");
  expect(document).toContain("## What is not reached, and why");
});
