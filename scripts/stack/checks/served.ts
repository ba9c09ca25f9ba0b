import { rm } from "node:fs/promises";
import type { Environment } from "@/lib/settings/read";
import { createMemoryFolder } from "../folder";
import { type Stack, startStack } from "../index";
import { writePast } from "../past";
import { plainReporter } from "../progress";
import { temporarySettings } from "../settings";
import { ensureBrowser } from "./browser";
import { type Counts, output, playwright } from "./run";
import { runSections, type Section, type SectionsOptions } from "./sections";

let stack: Promise<Stack> | undefined;

/** Returns the stack that all sections of a run share. The first section that needs it starts it. */
export function runningStack(): Promise<Stack> {
  // Playwright sends requests of its own over idle connections: only it closes them, or one that both close at the same
  // moment loses a request.
  const connections = { KEEP_ALIVE_MS: "3600000" };
  // Two members are a crowd, and need not wait ten minutes for it.
  const crowds = { ANONYMOUS_MINIMUM: "2", ANONYMOUS_ROUND_SECONDS: "5" };
  const env = { ...process.env, DEV_LOGIN: "1", ...connections, ...crowds };
  stack ??= temporarySettings({ env }).then(async (settings) => {
    await writePast(settings.home);
    const out = output();
    return startStack({ settings, reporter: plainReporter((line) => out.write(`${line}\n`)) });
  });
  return stack;
}

/** Stops the stack, if it was started, and deletes its data. */
async function stopStack(): Promise<void> {
  const running = await stack?.catch(() => undefined);
  if (!running) return;
  await running.stop();
  await rm(running.settings.home, { recursive: true, force: true });
}

/**
 * Runs the sections that the command line selects, stops the stack, and exits: with 1 when anything failed. Temporary files
 * are in memory where there is room.
 */
export function runAndExit(sections: readonly Section[], options: SectionsOptions): void {
  const memory = createMemoryFolder();
  const end = async () => {
    await stopStack();
    const folder = await memory;
    if (folder) await rm(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void end().finally(() => process.exit(1)));
  }
  memory
    .then((folder) => {
      if (folder) process.env.TMPDIR = folder;
      return runSections(sections, process.argv.slice(2), options);
    })
    .finally(end)
    .then(
      (failed) => process.exit(failed ? 1 : 0),
      (error: unknown) => {
        console.error(error instanceof Error ? error.message : error);
        process.exit(1);
      },
    );
}

/** Returns the environment variables with which a program finds the stack. */
export function stackEnv({ deploymentFile, settings }: Stack): Environment {
  return {
    PARLEY_DEPLOYMENT: deploymentFile,
    PARLEY_HOME: settings.home,
    PORT: String(settings.ports.app),
    DEV_LOGIN: "1",
  };
}

/** Runs the browser tests that `args` selects against the stack. */
export async function inBrowser(args: readonly string[], env: Environment = {}): Promise<Counts> {
  await ensureBrowser();
  const running = await runningStack();
  return playwright(running.deployment.services.appUrl, { ...stackEnv(running), ...env }, args);
}
