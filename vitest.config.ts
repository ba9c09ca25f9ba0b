import path from "node:path";
import { defineConfig } from "vitest/config";

// Unit tests stand beside their source; slow suites (prover, API) are separate projects so that the
// test entry can order them on two cores.
export default defineConfig({
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    // By itself vitest leaves one core free, which of two is half the machine.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{lib,db,components,app,scripts,contracts,circuits}/**/*.test.ts"],
          exclude: [
            "**/*.api.test.ts",
            "**/*.circuits.test.ts",
            "**/*.assure.test.ts",
            "**/*.live.test.ts",
            "**/*.e2e.test.ts",
            "node_modules/**",
          ],
          testTimeout: 30_000,
          // A database engine takes its time to start where everything else does so too.
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "api",
          include: ["{lib,app,scripts}/**/*.api.test.ts"],
          globalSetup: ["lib/testing/backends.setup.ts"],
          // Every harness has services of its own; loading the whole app anew for each file took a minute.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // The Noir compiler: minutes of WebAssembly.
        extends: true,
        test: {
          name: "circuits",
          include: ["circuits/**/*.circuits.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        // Processes of the built app: `npm test` builds it before.
        extends: true,
        test: {
          name: "live",
          include: ["scripts/**/*.live.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        // Numbers that take many minutes: `npm run assure`.
        extends: true,
        test: {
          name: "assure",
          include: ["{lib,app}/**/*.assure.test.ts"],
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: "prover",
          include: ["prover/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
