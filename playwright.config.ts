import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/**
 * Journeys in a real browser against a running stack: the one at PARLEY_E2E_URL (scripts/test.ts starts it),
 * else the one `npm start` serves.
 */
const SYSTEM_CHROMIUM = process.env.PARLEY_CHROMIUM ?? "/usr/bin/chromium";
const asRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // Real proofs take seconds on two cores; two of them at once would only wait for each other.
  workers: 1,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  reporter: [["list"]],
  use: {
    baseURL: process.env.PARLEY_E2E_URL ?? "http://localhost:3000",
    browserName: "chromium",
    // Recording every test for the few that fail takes a third of a core.
    trace: process.env.PARLEY_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: {
      // Debian's browser where there is one; else the one Playwright installed for itself.
      ...(existsSync(SYSTEM_CHROMIUM) ? { executablePath: SYSTEM_CHROMIUM } : {}),
      args: [
        // Chromium refuses its sandbox to root; containers and CI run as root.
        ...(asRoot ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "desktop", use: { viewport: { width: 1440, height: 900 } } },
    {
      name: "mobile",
      // What these test does not depend on the size of the screen; how it looks on a phone is for screens.spec.ts, and a
      // proof on one for phone.spec.ts, in a browser of that size.
      testIgnore:
        /(xss|journey|phone|proof-run|prove-again|staff|record|wallet-gates|screens|network|keyboard)[^/]*\.spec\.ts$/,
      // Neither does what these titles stand for.
      grepInvert: /@once/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
  ],
});
