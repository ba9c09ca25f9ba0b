import { countedByLastLine, vitest } from "./stack/checks/run";
import { type Section, sum } from "./stack/checks/sections";
import { inBrowser, runAndExit } from "./stack/checks/served";

/** The last line printed is "N passed, N failed". */
const USAGE = `npm run assure [-- --only scale]

Runs the full form of the checks that npm test shortens, and builds and starts the images of deploy/. Takes some hours on two cores.
  --only a,b  run these sections only`;

const ASSURE = "1";

const sections: readonly Section[] = [
  {
    name: "embedded",
    title: "API tests, full numbers, embedded database and cache",
    run: () => vitest("api", { env: { ASSURE } }),
  },
  {
    name: "postgres",
    title: "API tests, full numbers, PostgreSQL with Redis",
    run: () => vitest("api", { env: { ASSURE, PARLEY_TEST_BACKEND: "postgres" } }),
  },
  {
    name: "vercel",
    title: "API tests, @vercel/postgres with @upstash/redis",
    run: () => vitest("api", { env: { PARLEY_TEST_BACKEND: "vercel" } }),
  },
  {
    name: "faults",
    title: "Circuit mutants that were not tried yet",
    run: () => countedByLastLine("tsx", ["circuits/soundness/cli.ts", "--removal", "--mutants"]),
  },
  {
    name: "prover",
    title: "The prover killed at every step, and its accounting under 10,000 random schedules",
    run: () =>
      vitest("prover", {
        files: ["prover/prover.test.ts", "prover/books/schedules"],
        env: { ASSURE, BOOKS_SCHEDULES: "10000" },
      }),
  },
  {
    name: "e2e",
    title: "All browser tests; every screen at every width, in both themes and languages",
    run: async () =>
      sum([
        await inBrowser(["--grep-invert", "@alone"], { ASSURE }),
        await inBrowser(["--project=desktop", "screens.spec.ts"], { ASSURE, SCREENS_LANGUAGE: "ko" }),
      ]),
  },
  {
    name: "scale",
    title: "A million posts",
    run: () => vitest("assure", { files: ["lib/testing/scale"], env: { ASSURE } }),
  },
  {
    name: "restore",
    title: "A million posts, backed up and restored",
    run: () => vitest("assure", { files: ["scripts/backup"], env: { ASSURE } }),
  },
  {
    name: "containers",
    title: "The images of deploy/, built and started",
    run: () => vitest("assure", { files: ["scripts/deploy"] }),
  },
];

runAndExit(sections, { usage: USAGE });
