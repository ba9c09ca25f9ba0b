import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";

const ROOMS = ["app", "circuits", "components", "contracts", "db", "lib", "packages", "scripts"];
const OTHERS = ["**/*.{api,circuits,assure,live,services,e2e}.test.ts", "node_modules/**"];

/** Replaced modules would stay so for the next file. */
const mocking = ROOMS.flatMap((room) =>
  readdirSync(path.join(import.meta.dirname, room), { recursive: true, encoding: "utf8" })
    .map((file) => path.posix.join(room, file))
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => /\bvi\.(doM|m)ock\(/.test(readFileSync(path.join(import.meta.dirname, file), "utf8"))),
);

const unit = {
  testTimeout: 30_000,
  // A database engine starts slowly while other tests start too.
  hookTimeout: 60_000,
};

// Unit tests are next to their sources. Slow suites (prover, API) are separate projects, so that `npm test` can order
// them on two cores.
export default defineConfig({
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    // By default vitest leaves one core free, which is half of a machine with two.
    maxWorkers: "100%",
    // A second, the default, may pass before a busy machine comes to what is polled for.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          ...unit,
          name: "unit",
          include: ROOMS.map((room) => `${room}/**/*.test.ts`),
          exclude: [...OTHERS, ...mocking],
          // Loading the modules anew for each file took half of the time.
          isolate: false,
          setupFiles: ["lib/testing/restore.setup.ts"],
        },
      },
      {
        extends: true,
        test: { ...unit, name: "unit-isolated", include: mocking, exclude: OTHERS },
      },
      {
        extends: true,
        test: {
          name: "api",
          include: ["{lib,app,scripts}/**/*.api.test.ts"],
          globalSetup: ["lib/testing/backends.setup.ts"],
          // Every harness has its own services, and loading the whole app again for each file took a minute.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // The Noir compiler takes minutes in WebAssembly.
        extends: true,
        test: {
          name: "circuits",
          include: ["circuits/**/*.circuits.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        // Runs the built app; `npm test` builds it first.
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
        // On PostgreSQL and Redis, through every driver; some run the built app.
        extends: true,
        test: {
          name: "services",
          include: ["{prover,scripts}/**/*.services.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
      {
        // Full-size tests that take many minutes: `npm run assure`.
        extends: true,
        test: {
          name: "assure",
          include: ["{lib,app,scripts}/**/*.assure.test.ts"],
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
          exclude: ["**/*.services.test.ts", "node_modules/**"],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
