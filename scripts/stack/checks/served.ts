import { rm } from "node:fs/promises";
import { type Stack, startStack, temporarySettings } from "../index";
import { writePast } from "../past";
import { plainReporter } from "../progress";
import type { Environment } from "../settings";
import { ensureBrowser } from "./browser";
import { output } from "./output";
import { type Counts, playwright } from "./run";

let stack: Promise<Stack> | undefined;

/** One stack for all sections of a run that need it, started when the first of them does. */
export function runningStack(): Promise<Stack> {
  stack ??= temporarySettings({ env: { ...process.env, DEV_LOGIN: "1" } }).then(async (settings) => {
    await writePast(settings.home);
    const out = output();
    return startStack({ settings, reporter: plainReporter((line) => out.write(`${line}\n`)) });
  });
  return stack;
}

/** Stops the stack, if there is one, and removes what it kept. */
export async function stopStack(): Promise<void> {
  const running = await stack?.catch(() => undefined);
  if (!running) return;
  await running.stop();
  await rm(running.settings.home, { recursive: true, force: true });
}

/** What a program has to know to find the stack. */
export function stackEnv({ deploymentFile, settings }: Stack): Environment {
  return {
    PARLEY_DEPLOYMENT: deploymentFile,
    PARLEY_HOME: settings.home,
    PORT: String(settings.ports.app),
    DEV_LOGIN: "1",
  };
}

/** Browser tests against the stack: those that `args` picks. */
export async function inBrowser(args: readonly string[], env: Environment = {}): Promise<Counts> {
  await ensureBrowser();
  const running = await runningStack();
  return playwright(running.deployment.services.appUrl, { ...stackEnv(running), ...env }, args);
}
