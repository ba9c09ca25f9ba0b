import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";

/**
 * Gives a test file a cache and a home of its own and hides any SRS of the machine, for the length of the
 * file. The returned function names the directory.
 */
export function ownCache(): () => string {
  const before = {
    PARLEY_CACHE: process.env.PARLEY_CACHE,
    HOME: process.env.HOME,
    CRS_PATH: process.env.CRS_PATH,
  };
  let directory = "";
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "parley-cache-"));
    Object.assign(process.env, { PARLEY_CACHE: directory, HOME: directory });
    delete process.env.CRS_PATH;
    if (homedir() !== directory) throw new Error("the home directory cannot be replaced here");
  });
  afterAll(async () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await rm(directory, { recursive: true, force: true });
  });
  return () => directory;
}
