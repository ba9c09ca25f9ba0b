import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { check, countedByLastLine, output, vitest } from "./stack/checks/run";
import { lanesFor, type Section, sum } from "./stack/checks/sections";
import { inBrowser, runAndExit, runningStack, stackEnv } from "./stack/checks/served";
import { Children } from "./stack/children";
import { withFolder } from "./stack/folder";
import { ensureNextBuild } from "./stack/next-build";
import { homePaths, ROOT, temporarySettings } from "./stack/settings";

/** Prints "N passed, N failed" last. Exits with 1 when anything failed or a section crashed. */
const USAGE = `npm test [-- --only unit,api] [--lanes 1]

Runs every check, two sections at once if there are two cores.
  --only a,b  run these sections only
  --lanes N   run N sections at once, 1 to 8; failures are easiest to read with 1`;

/** Creates .parley if `npm start` never ran, so that a build could pack it by mistake (scripts/live/traces.live.test.ts). */
async function createStateBesideBuild(): Promise<() => Promise<void>> {
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

/** Builds the app, once for all sections. @returns whether a build was necessary */
function buildApp(): Promise<boolean> {
  built ??= temporarySettings().then(async ({ home }) => {
    const children = new Children(homePaths(home).logs, () => {});
    const removeState = await createStateBesideBuild();
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

const lanes = lanesFor(process.argv.slice(2), 2);
/** Each lane gets its share of the cores. */
const workers = `${Math.floor(100 / lanes)}%`;

/** In the order in which the lanes take them. Sections that wait a lot come early, so that others fill their gaps. */
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
    // It searches its temporary folder for leaked data, so the folder must be its own.
    run: () =>
      withFolder(async (TMPDIR) => {
        // PostgreSQL does not run as root, and its folder is inside this one.
        await chmod(TMPDIR, 0o711);
        return vitest("prover", { env: { TMPDIR } });
      }),
  },
  {
    name: "types",
    title: "Types",
    run: async () => {
      // Generates next-env.d.ts and the route types, which are not committed.
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
    run: () => inBrowser(["--grep-invert", "@alone|@long"]),
  },
  {
    name: "api",
    title: "API tests, on PostgreSQL and Redis",
    // They take two thirds of the time that they take on the embedded database.
    run: () => vitest("api", { env: { PARLEY_TEST_BACKEND: "postgres" }, workers }),
  },
  { name: "unit", title: "Unit tests", run: () => vitest("unit*", { workers }) },
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
    name: "services",
    title:
      "API and chat on embedded back ends and through hosted drivers; prover and two processes on servers",
    run: async () => {
      await buildApp();
      // What differs between back ends: SQL, counters, and messages between processes.
      const files = [
        "lib/testing/spec",
        "lib/session/nickname-races",
        "lib/http/rate-limit",
        "lib/community/chat/chat",
        "lib/community/chat/processes",
        "lib/community/chat/subscribe",
        "lib/community/notifications/events",
      ];
      const onBackend = (name: string) =>
        vitest("api", { files, env: { PARLEY_TEST_BACKEND: name }, workers });
      return sum([await vitest("services"), await onBackend("embedded"), await onBackend("vercel")]);
    },
  },
  {
    name: "soundness",
    title: "Soundness of the circuits, short form",
    run: () => countedByLastLine("tsx", ["circuits/soundness/cli.ts", "--short"]),
  },
  {
    name: "first-load",
    title: "First load and return, on a slow phone",
    alone: true,
    run: () => inBrowser(["--grep", "@alone"]),
  },
];

runAndExit(sections, { lanes, usage: USAGE });
