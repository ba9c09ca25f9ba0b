import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createMemoryFolder } from "./folder";

it.skipIf(!existsSync("/dev/shm"))(
  "temporary files are in memory, without those of killed runs (needs /dev/shm)",
  async () => {
    // Process ids have at most 22 bits.
    const left = "/dev/shm/parley-tests-99999999-left";
    const foreign = `/dev/shm/parley-tests-${process.ppid}-running`;
    for (const folder of [left, foreign]) await mkdir(folder);
    const folder = await createMemoryFolder();
    try {
      expect([existsSync(left), existsSync(foreign)]).toEqual([folder === undefined, true]);
      if (folder) await writeFile(path.join(folder, "some"), "thing");
    } finally {
      for (const made of [left, foreign, folder ?? left]) await rm(made, { recursive: true, force: true });
    }
  },
);
