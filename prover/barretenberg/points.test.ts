import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { requiredPoints } from "./points";
import { ownCache } from "./test/cache";
import { compileCircuit } from "./test/circuits";
import type { CircuitArtifact } from "./types";

const cache = ownCache();
let square: CircuitArtifact;
let medium: CircuitArtifact;
beforeAll(async () => {
  square = await compileCircuit("square");
  medium = await compileCircuit("medium");
});

/** Files with what was counted. */
async function counted(): Promise<string[]> {
  const names = (await readdir(cache())).filter((name) => name.startsWith("points-"));
  return names.map((name) => path.join(cache(), name, "value.json"));
}

test("the largest circuit decides, by a power of two; no circuit at all needs the least there is", async () => {
  expect(await requiredPoints([])).toBe(512);
  const small = await requiredPoints([square]);
  const large = await requiredPoints([square, medium]);
  expect(Math.log2(small) % 1).toBe(0);
  expect(large).toBeGreaterThan(small);
  expect(await requiredPoints([medium, square])).toBe(large);
});

test("each circuit is counted once, and again when what was kept is damaged", async () => {
  const right = await requiredPoints([square]);
  const files = await counted();
  expect(files).toHaveLength(2);
  for (const file of files) await writeFile(file, JSON.stringify({ points: 1 << 20 }));
  expect(await requiredPoints([square])).toBe(1 << 20);
  for (const damaged of ["", "{}", '{"points": 2}']) {
    for (const file of await counted()) await writeFile(file, damaged);
    expect(await requiredPoints([square])).toBe(right);
  }
});
