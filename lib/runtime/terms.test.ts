import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { readTerms } from "./terms";

const folder = mkdtempSync(path.join(tmpdir(), "parley-terms-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => path.join(folder, name);

it("reads the operator's terms, and those in other languages beside them", () => {
  writeFileSync(at("terms.html"), "<p>Ours.</p>\n");
  expect(readTerms(at("terms.html"))).toEqual({ texts: { en: "<p>Ours.</p>" } });
  writeFileSync(at("terms.ko.html"), "<p>저희 약관.</p>");
  expect(readTerms(at("terms.html")).texts).toEqual({ en: "<p>Ours.</p>", ko: "<p>저희 약관.</p>" });
});

it("says what is wrong with a file that is missing or empty", () => {
  writeFileSync(at("empty.html"), " \n");
  for (const name of ["missing.html", "empty.html"]) {
    expect(readTerms(at(name))).toEqual({ problem: `TERMS_PATH: ${at(name)} cannot be read, or is empty` });
  }
});
