import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { output } from "./stack/checks/output";
import { check, countedByLastLine, vitest, withFolder } from "./stack/checks/run";
import { lanesFor, runSections, type Section, sum } from "./stack/checks/sections";
import { inBrowser, runningStack, stackEnv, stopStack } from "./stack/checks/served";
import { Children } from "./stack/children";
import { temporarySettings } from "./stack/index";
import { ensureNextBuild } from "./stack/next-build";
import { ROOT } from "./stack/root";
import { homePaths } from "./stack/settings";

/** Prints "N passed, N failed" last; exit status 1 when anything failed or a section crashed. */
const USAGE = `npm test [-- --only unit,api] [--lanes 1]

Runs every check, two sections side by side where there are two cores.
  --only a,b  run these sections only
  --lanes N   run N sections side by side, 1 to 8; failures are easiest to read with 1`;

/** Where `npm start` never ran there is no state that a build could pack by mistake (scripts/live/traces.live.test.ts). */
async function stateBesideBuild(): Promise<() => Promise<void>> {
  const { deployment, secrets } = homePaths(path.join(ROOT, ".parley"));
  const isNew = await mkdir(path.dirname(secrets)).then(
    () => true,
    () => false,
  );
  if (!isNew) return async () => {};
  for (const file of [deployment, secrets]) await writeFile(file, "{}");
  return () => rm(path.dirname(secrets), { recursive: true, force: true });
}

let built: Promise<boolean> | undefined;

/** The app, built once for all who need it. Whether that was needed. */
function buildApp(): Promise<boolean> {
  built ??= temporarySettings().then(async ({ home }) => {
    const children = new Children(homePaths(home).logs, () => {});
    const removeState = await stateBesideBuild();
    try {
      return await ensureNextBuild(children);
    } finally {
      await children.stop();
      await removeState();
      await rm(home, { recursive: true, force: true });
    }
  });
  return built;
}

const args = process.argv.slice(2);
const lanes = lanesFor(args, 2);
/** Each lane has its part of the machine. */
const workers = `${Math.floor(100 / lanes)}%`;

/** In the order in which the lanes take them: what waits for something else early, so that it fills the other's gaps. */
const sections: readonly Section[] = [
  {
    name: "lint",
    title: "Lint, unused code and unused packages",
    run: async () =>
      sum([
        await check("biome", ["ci", "."]),
        await check("knip", ["--no-progress"]),
        // `dependencies` lists exactly what the app and the prover import in production.
        await check("knip", ["--no-progress", "--production", "--strict", "--dependencies"]),
      ]),
  },
  {
    name: "prover",
    title: "Prover tests: real proofs, real settlement",
    // Searches its temporary folder for what must not be there; what others write into theirs is none of its business.
    run: () =>
      withFolder(async (TMPDIR) => {
        // PostgreSQL does not run as root, and has to get through to its own folder in this one.
        await chmod(TMPDIR, 0o711);
        return vitest("prover", { env: { TMPDIR } });
      }),
  },
  {
    name: "types",
    title: "Types",
    run: async () => {
      // Writes next-env.d.ts and the route types, which are not committed.
      const generated = await check("next", ["typegen"]);
      return generated.failed > 0 ? generated : check("tsc", ["--noEmit"]);
    },
  },
  {
    name: "build",
    title: "App build",
    run: async () => {
      output().write((await buildApp()) ? "built\n" : "sources unchanged since the last build\n");
      return { passed: 1, failed: 0 };
    },
  },
  {
    name: "journey",
    title: "An agent's journey over plain HTTP",
    run: async () => countedByLastLine("tsx", ["scripts/journey.ts"], stackEnv(await runningStack())),
  },
  {
    name: "e2e",
    title: "Browser tests",
    run: () => inBrowser(["--grep-invert", "@alone"]),
  },
  { name: "api", title: "API tests", run: () => vitest("api", { workers }) },
  { name: "unit", title: "Unit tests", run: () => vitest("unit", { workers }) },
  {
    name: "circuits",
    title: "Noir tests, and artifacts against their sources",
    run: () => vitest("circuits", { workers }),
  },
  {
    name: "live",
    title: "Several app processes: shared state, shutdown and crashes",
    run: async () => {
      await buildApp();
      return vitest("live");
    },
  },
  {
    name: "backends",
    title: "Specification tests on PostgreSQL with Redis, and on @vercel/postgres with @upstash/redis",
    run: async () => {
      const files = ["lib/testing/spec", "lib/session/nickname-races"];
      const postgres = await vitest("api", { files, env: { PARLEY_TEST_BACKEND: "postgres" }, workers });
      const vercel = await vitest("api", {
        files: ["lib/testing/spec"],
        env: { PARLEY_TEST_BACKEND: "vercel" },
        workers,
      });
      return sum([postgres, vercel]);
    },
  },
  {
    name: "soundness",
    title: "Soundness of the circuits, short form",
    run: () => countedByLastLine("tsx", ["circuits/soundness/cli.ts", "--short"]),
  },
  {
    name: "first-load",
    title: "First load on a slow phone",
    alone: true,
    run: () => inBrowser(["--grep", "@alone"]),
  },
];

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stopStack().finally(() => process.exit(1)));
}
runSections(sections, args, { lanes, usage: USAGE })
  .finally(stopStack)
  .then(
    (failed) => process.exit(failed ? 1 : 0),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exit(1);
    },
  );
