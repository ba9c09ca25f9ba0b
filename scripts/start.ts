import os from "node:os";
import { ChildError } from "./stack/children";
import { type Stack, StoppedError, startStack } from "./stack/index";
import { watchLauncher } from "./stack/launcher";
import { PortTakenError } from "./stack/ports";
import { consoleReporter, formatElapsed } from "./stack/progress";
import { usualRestarts } from "./stack/restart";
import { SettingsError, settingsFrom } from "./stack/settings";
import { summary } from "./stack/summary";

/**
 * `npm start` and, with --dev, `npm run dev`: boots everything, prints one summary, and runs until
 * Ctrl-C or SIGTERM, or until one of its programs keeps dying.
 */
async function main(): Promise<void> {
  // State, logs and secrets are for the user that runs this; every program started here inherits it.
  process.umask(0o077);
  const started = Date.now();
  const abort = new AbortController();
  let stack: Stack | undefined;
  let signals = 0;

  const stopAll = async (code: number) => {
    await stack?.stop();
    process.exit(code);
  };
  const onSignal = (name: NodeJS.Signals) => {
    const code = 128 + os.constants.signals[name];
    if (++signals > 1) {
      stack?.kill();
      process.exit(code);
    }
    console.log("\nStopping. All data is kept. (Once more to force.)");
    abort.abort();
    if (stack) void stopAll(code);
    else process.exitCode = code;
  };
  process.on("SIGINT", () => onSignal("SIGINT"));
  process.on("SIGTERM", () => onSignal("SIGTERM"));
  watchLauncher(() => onSignal("SIGTERM"));

  const settings = settingsFrom(process.env, { dev: process.argv.includes("--dev") });
  console.log(`Parley (${settings.mode}${settings.dev ? ", hot reload" : ""})`);
  stack = await startStack({
    settings,
    reporter: consoleReporter(),
    signal: abort.signal,
    // In development a debugger holds the loop, and a program that dies should be seen to.
    ...(settings.dev ? {} : { restart: usualRestarts }),
    onDeath: (error) => {
      console.error(`\n${error.message}\nStopping the rest.`);
      void stopAll(1);
    },
  });
  console.log(summary(stack));
  console.log(`Ready after ${formatElapsed(Date.now() - started)}.`);
}

main().catch((error: unknown) => {
  if (error instanceof StoppedError || process.exitCode) return process.exit();
  const expected =
    error instanceof SettingsError || error instanceof PortTakenError || error instanceof ChildError;
  console.error(
    `\n${expected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  process.exit(1);
});
