import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { testSettings } from "./lib/settings/tools";

/**
 * Tests in a real browser against a running stack: the one at PARLEY_E2E_URL (scripts/test.ts starts it), by default that
 * of `npm start`.
 */
const settings = testSettings();
const asRoot = process.getuid?.() === 0;

/** Options that start the first of these browsers that is installed, otherwise Playwright's. */
function launchOptions(...browsers: readonly string[]) {
  const executablePath = browsers.find((browser) => existsSync(browser));
  return {
    ...(executablePath && { executablePath }),
    args: [
      // Chromium's sandbox does not work for root, which containers and CI use.
      ...(asRoot ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  };
}

const desktop = { viewport: { width: 1440, height: 900 } };

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // A real proof takes seconds on two cores; two at once would only wait for each other.
  workers: 1,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  reporter: [["list"]],
  use: {
    baseURL: settings.PARLEY_E2E_URL,
    // The worker keeps every page that is opened, so the server renders it twice: a quarter of all that a test costs. Tests
    // of the worker, of whole journeys and of times allow it.
    serviceWorkers: settings.ASSURE ? "allow" : "block",
    browserName: "chromium",
    // Recording every test costs a third of a core.
    trace: settings.PARLEY_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: launchOptions(settings.PARLEY_HEADLESS_SHELL, settings.PARLEY_CHROMIUM),
  },
  projects: [
    { name: "desktop", grepInvert: /@browser/, use: desktop },
    {
      // Push messages and installing are parts of the browser around the engine, which the headless shell leaves out.
      name: "browser",
      grep: /@browser/,
      use: { ...desktop, serviceWorkers: "allow", launchOptions: launchOptions(settings.PARLEY_CHROMIUM) },
    },
    {
      name: "mobile",
      // These tests do not depend on the screen size. screens.spec.ts checks the layout on a phone, and phone.spec.ts a
      // proof on one, in a browser of that size.
      testIgnore:
        /(xss|journey|phone|proof-run|prove-again|staff|record|wallet-gates|screens|network|keyboard)[^/]*\.spec\.ts$/,
      // Nor do the tests with this tag.
      grepInvert: /@once|@browser/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
  ],
});
