import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { runProgram } from "./run";

const SYSTEM_CHROMIUM = process.env.PARLEY_CHROMIUM ?? "/usr/bin/chromium";
const APT_GET = "/usr/bin/apt-get";

/**
 * Makes sure that there is a browser for the journeys: the system's, else Debian's package (as root), else
 * the one Playwright downloads.
 * @throws Error saying what to install when none of the three works.
 */
export async function ensureBrowser(): Promise<void> {
  if (existsSync(SYSTEM_CHROMIUM) || existsSync(chromium.executablePath())) return;
  if (process.getuid?.() === 0 && existsSync(APT_GET)) {
    console.log("No browser found: installing Debian's chromium.");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await runProgram(APT_GET, ["update", "-q"], env);
    await runProgram(APT_GET, ["install", "-y", "-q", "--no-install-recommends", "chromium"], env);
    if (existsSync(SYSTEM_CHROMIUM)) return;
  }
  console.log("No browser found: trying Playwright's own.");
  await runProgram("playwright", ["install", "chromium"]);
  if (existsSync(chromium.executablePath())) return;
  throw new Error(
    "The browser journeys need Chromium: install it (Debian: apt-get install chromium), or point PARLEY_CHROMIUM at one.",
  );
}
