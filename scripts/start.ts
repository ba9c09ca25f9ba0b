import os from "node:os";
import { parseArgs } from "node:util";
import { ChildError } from "./stack/children";
import { type Stack, StoppedError, startStack } from "./stack/index";
import { watchLauncher } from "./stack/launcher";
import { startBorrowedApp } from "./stack/lend";
import { PortTakenError } from "./stack/ports";
import { consoleReporter, formatElapsed } from "./stack/progress";
import { usualRestarts } from "./stack/restart";
import { SettingsError, settingsFrom } from "./stack/settings";
import { summary } from "./stack/summary";

/**
 * `npm start` and, with --dev, `npm run dev`: boots everything, prints one summary, and runs until
 * Ctrl-C or SIGTERM, or until one of its programs keeps dying. `npm run dev -- --app` runs only the app, in place of that of
 * a stack which runs in another terminal.
 */
async function main(): Promise<void> {
  // State, logs and secrets are for the user that runs this; every program started here inherits it.
  process.umask(0o077);
  const started = Date.now();
  const abort = new AbortController();
  let stack: Pick<Stack, "stop" | "kill"> | undefined;
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

  const { values } = parseArgs({ options: { dev: { type: "boolean" }, app: { type: "boolean" } } });
  const settings = settingsFrom(process.env, { dev: Boolean(values.dev || values.app) });
  const onDeath = (error: Error) => {
    console.error(`\n${error.message}\nStopping the rest.`);
    void stopAll(1);
  };
  const common = { settings, reporter: consoleReporter(), signal: abort.signal, onDeath };
  const elapsed = () => formatElapsed(Date.now() - started);
  if (values.app) {
    const app = await startBorrowedApp(common);
    stack = app;
    console.log(
      `The app runs on ${app.url} with hot reload. Ready after ${elapsed()}. Ctrl-C gives it back.`,
    );
    return;
  }
  console.log(`Parley (${settings.mode}${settings.dev ? ", hot reload" : ""})`);
  const whole = await startStack({
    ...common,
    // In development a debugger holds the loop, and a program that dies should be seen to.
    ...(settings.dev ? {} : { restart: usualRestarts }),
  });
  stack = whole;
  console.log(summary(whole));
  console.log(`Ready after ${elapsed()}.`);
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
