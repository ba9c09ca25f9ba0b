import { countedByLastLine, vitest } from "./stack/checks/run";
import { runSections, type Section } from "./stack/checks/sections";
import { inBrowser, stopStack } from "./stack/checks/served";

/**
 * `npm run assure [-- --only scale]`: the numbers of the community API and the colors of the screens in full, where
 * `npm test` has a short form, and whatever faults in the circuits were not yet tried. On two cores most of an hour.
 * The last line is "N passed, N failed".
 */
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
    title: "Faults put into the circuits' sources, where that was not yet tried",
    run: () => countedByLastLine("tsx", ["scripts/circuits/soundness.ts", "--removal", "--mutants"]),
  },
  {
    name: "books",
    title: "The prover's books under 10,000 random schedules",
    run: () => vitest("prover", { files: ["prover/books/schedules"], env: { BOOKS_SCHEDULES: "10000" } }),
  },
  {
    name: "screens",
    title: "Every screen at every width in both themes",
    run: () => inBrowser(["--project=desktop", "screens.spec.ts"], { ASSURE }),
  },
  { name: "scale", title: "A million posts", run: () => vitest("assure", { env: { ASSURE } }) },
];

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stopStack().finally(() => process.exit(1)));
}
runSections(sections, process.argv.slice(2))
  .finally(stopStack)
  .then(
    (failed) => process.exit(failed ? 1 : 0),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exit(1);
    },
  );
