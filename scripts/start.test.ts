import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { ROOT } from "./stack/settings";
import { programArgs } from "./stack/sources";

const FOLDER = path.join(ROOT, "dist", "start");

/** Runs `npm start` with a setting that ends it. */
function refusedStart(): Promise<{ code: unknown; messages: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, PORT: "none" };
    execFile(process.execPath, ["scripts/start.mjs"], { cwd: ROOT, env }, (error, _, messages) =>
      resolve({ code: error?.code, messages }),
    );
  });
}

/** Returns the sources of the programs that the stack starts. */
async function programs(): Promise<string[]> {
  const own = await readdir(path.join(ROOT, "scripts", "stack"), { recursive: true });
  const mains = own.filter((file) => /^[^/]+\/main\.ts$|^watchdog\.ts$/.test(file));
  const alone = ["app", "run-migrate", "run-doctor"].map((name) => `scripts/programs/${name}.ts`);
  const ofProver = ["prover/main.ts", "prover/facilitator/main.ts"];
  return [...ofProver, ...alone, ...mains.map((file) => `scripts/stack/${file}`)];
}

it("npm start is a bundle, with one of each program, and makes them again only for changed sources", async () => {
  const refused = { code: 1, messages: expect.stringContaining("PORT") };
  expect(await refusedStart()).toEqual(refused);
  vi.stubEnv("PARLEY_BUNDLES", FOLDER);
  const bundles = (await programs()).flatMap(programArgs);
  vi.unstubAllEnvs();
  expect(bundles).toHaveLength(9);
  expect(bundles.filter((bundle) => !existsSync(bundle))).toEqual([]);

  const { mtimeMs } = await stat(path.join(FOLDER, "sources.json"));
  expect(await refusedStart()).toEqual(refused);
  expect((await stat(path.join(FOLDER, "sources.json"))).mtimeMs).toBe(mtimeMs);
});
