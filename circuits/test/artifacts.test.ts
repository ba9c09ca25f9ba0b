import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { artifactName, circuitBuilds, sha256, sourceSha256, withWorkspace } from "@/scripts/circuits/builds";
import { CONSTANTS_FILE, constantsSource } from "@/scripts/circuits/constants";
import { ARTIFACTS_DIR, CIRCUITS_DIR } from "@/scripts/circuits/paths";

const read = (name: string) => fs.readFileSync(path.join(ARTIFACTS_DIR, name), "utf8");
const manifest = JSON.parse(read("manifest.json"));

const artifacts = circuitBuilds().map((which) => ({
  ...which,
  name: artifactName(which.circuit, which.build),
}));

it("the attesters' constants are those of the configuration", () => {
  expect(fs.readFileSync(CONSTANTS_FILE, "utf8")).toBe(constantsSource("production"));
});

describe.each(artifacts)("committed artifact $name", ({ name, circuit, build }) => {
  it("was compiled from the sources beside it", async () => {
    const digest = await withWorkspace(build, async (root) => sourceSha256(root, circuit));
    expect(manifest[name].sourceSha256, "run npm run circuits:build").toBe(digest);
  });

  it("is the file the manifest names", () => {
    expect(manifest[name].artifactSha256).toBe(sha256(read(`${name}.json`)));
    expect(manifest[name]).toMatchObject({ circuit, ...(build ? { build } : {}) });
  });

  it("circuits F4: is within its gate budget, which leaves one per cent: less than a hash costs", () => {
    const budgets = JSON.parse(fs.readFileSync(path.join(CIRCUITS_DIR, "budgets.json"), "utf8"));
    const { gates } = manifest[name];
    expect(gates).toBeLessThanOrEqual(budgets[circuit]);
    expect(budgets[circuit]).toBe(Math.floor(gates * 1.01));
    // Twice the points would have to be fetched, and keys and setup data would be twice as large.
    expect(gates).toBeLessThanOrEqual(2 ** 18);
  });

  it("holds no source text, debug symbol or path", () => {
    const keys = ["abi", ...(build ? ["build"] : []), "bytecode", "hash", "name", "noirVersion"];
    const artifact = JSON.parse(read(`${name}.json`));
    expect(Object.keys(artifact).sort()).toEqual(keys);
    expect(artifact).toMatchObject({ name: circuit, ...(build ? { build } : {}) });
    expect(read(`${name}.json`)).not.toMatch(/\.nr\b/);
  });
});
