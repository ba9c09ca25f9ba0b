import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ARTIFACTS_DIR, CIRCUITS_DIR, circuitNames } from "@/scripts/circuits/paths";
import { sha256, sourceSha256 } from "@/scripts/circuits/sources";

const read = (name: string) => fs.readFileSync(path.join(ARTIFACTS_DIR, name), "utf8");
const manifest = JSON.parse(read("manifest.json"));

describe.each(circuitNames())("committed artifact of %s", (circuit) => {
  it("was compiled from the sources beside it", () => {
    expect(manifest[circuit].sourceSha256, "run npm run circuits:build").toBe(
      sourceSha256(CIRCUITS_DIR, circuit),
    );
  });

  it("is the file the manifest names", () => {
    expect(manifest[circuit].artifactSha256).toBe(sha256(read(`${circuit}.json`)));
  });

  it("is within its gate budget", () => {
    const budgets = JSON.parse(fs.readFileSync(path.join(CIRCUITS_DIR, "budgets.json"), "utf8"));
    expect(manifest[circuit].gates).toBeLessThanOrEqual(budgets[circuit]);
  });

  it("holds no source text, debug symbol or path", () => {
    expect(Object.keys(JSON.parse(read(`${circuit}.json`))).sort()).toEqual(
      ["abi", "bytecode", "hash", "name", "noirVersion"].sort(),
    );
    expect(read(`${circuit}.json`)).not.toMatch(/\.nr\b/);
  });
});
