import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { testSettings } from "@/lib/settings/tools";
import { runProgram } from "./run";

const { PARLEY_CHROMIUM: SYSTEM_CHROMIUM } = testSettings();
const APT_GET = "/usr/bin/apt-get";

/**
 * Installs a browser for the browser tests unless there is one: Debian's package (as root), else Playwright's download.
 * @throws Error saying what to install when neither works
 */
export async function ensureBrowser(): Promise<void> {
  if (existsSync(SYSTEM_CHROMIUM) || existsSync(chromium.executablePath())) return;
  if (process.getuid?.() === 0 && existsSync(APT_GET)) {
    console.log("No browser found: installing Debian's Chromium.");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await runProgram(APT_GET, ["update", "-q"], env);
    await runProgram(
      APT_GET,
      ["install", "-y", "-q", "--no-install-recommends", "chromium", "chromium-headless-shell"],
      env,
    );
    if (existsSync(SYSTEM_CHROMIUM)) return;
  }
  console.log("No browser found: trying Playwright's own.");
  await runProgram("playwright", ["install", "chromium"]);
  if (existsSync(chromium.executablePath())) return;
  throw new Error(
    "The browser tests need Chromium. Install it (Debian: apt-get install chromium), or set PARLEY_CHROMIUM to its path.",
  );
}
