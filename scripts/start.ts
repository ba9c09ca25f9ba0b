import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { SettingsError } from "@/lib/settings/read";
import { developmentAccount } from "./stack/accounts";
import { ChildError } from "./stack/children";
import { type Stack, StoppedError, startStack } from "./stack/index";
import { startBorrowedApp } from "./stack/lend";
import { PortTakenError } from "./stack/ports";
import { SUGGESTED_ACCOUNTS } from "./stack/programs";
import { consoleReporter, formatElapsed } from "./stack/progress";
import { usualRestarts } from "./stack/restart";
import { settingsFrom } from "./stack/settings";

/** How often to check that npm still runs. */
const LAUNCHER_POLL_MS = 1_000;

/**
 * `npm start` and, with --dev, `npm run dev`: boots everything, prints one summary, and runs until Ctrl-C or SIGTERM, or
 * until one of its programs keeps dying. `npm run dev -- --app` runs only the app, in place of the app of a stack in
 * another terminal.
 */
async function main(): Promise<void> {
  // Only this user may read data, logs and secrets. Every program started here inherits the mask.
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
    console.log("\nStopping. All data is kept. (Press Ctrl-C again to force.)");
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
      `The app runs on ${app.url} with hot reload. Ready after ${elapsed()}. Press Ctrl-C to give it back.`,
    );
    return;
  }
  console.log(`Parley (${settings.mode}${settings.dev ? ", hot reload" : ""})`);
  const whole = await startStack({
    ...common,
    // In development a debugger may pause the event loop, and a crash should be noticed.
    ...(settings.dev ? {} : { restart: usualRestarts }),
  });
  stack = whole;
  console.log(summary(whole));
  console.log(`Ready after ${elapsed()}.`);
}

/** Returns the summary at the end of a start: addresses, accounts, and what is for development only. */
function summary(stack: Stack): string {
  const { deployment, settings } = stack;
  const { appUrl, proverUrl, facilitatorUrl } = deployment.services;
  const home = path.relative(process.cwd(), settings.home) || settings.home;
  const rows: [string, string][] = [
    ["Parley", appUrl],
    ["API description", `${appUrl}/api/docs/openapi.json`],
    ["Prover", proverUrl],
  ];
  if (settings.mode === "production") return block("Parley is running (production).", rows, []);

  if (facilitatorUrl) rows.push(["Facilitator", facilitatorUrl]);
  const [issuer] = deployment.issuers;
  if (issuer) rows.push(["Identity provider", issuer.issuer]);
  if (deployment.attestations?.explorerUrl) rows.push(["Attester", deployment.attestations.explorerUrl]);
  for (const chain of deployment.chains) rows.push([`Chain ${chain.id}`, chain.rpcUrl]);
  rows.push(["State and logs", home], ["Description", path.relative(process.cwd(), stack.deploymentFile)]);
  return block("Parley is running.", rows, [
    "For development only, without any security:",
    `  - Sign in with any address of any company; the demo members are ${SUGGESTED_ACCOUNTS.slice(0, 2).join(", ")} ...`,
    `  - Play money pays for proofs. ${developmentAccount("browser").address} is a funded wallet to import;`,
    "    its key (index 6) and all others come from anvil's public mnemonic. A browser's development wallet funds itself.",
    "  - The attester attests any wallet for anyone. That wallet and those of the demo and the journey are already attested.",
    deployment.srs.kind === "development"
      ? "  - The development SRS is in use: anyone can forge proofs."
      : "  - The setup data is from the ceremony.",
    ...(settings.devLogin ? ["  - DEV_LOGIN=1: anyone can sign in as anyone, without a proof."] : []),
    "",
    "npm run journey walks through it as an agent. Ctrl-C stops everything and keeps the data.",
  ]);
}

function block(title: string, rows: readonly [string, string][], notes: readonly string[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`);
  return ["", title, "", ...lines, "", ...notes].join("\n");
}

/**
 * Calls `onGone` when `npm start` was stopped but its signal did not reach us: npm sends SIGTERM to the shell that it
 * started us with, and Debian's shell dies without passing it on. Linux only; other shells replace themselves with the
 * program, so that the signal arrives.
 */
function watchLauncher(onGone: () => void): void {
  if (process.platform !== "linux" || !process.env.npm_lifecycle_event) return;
  const launchers = ancestorsUpToNpm();
  if (launchers.length === 0) return;
  const timer = setInterval(() => {
    if (launchers.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    onGone();
  }, LAUNCHER_POLL_MS);
  timer.unref();
}

/** Returns our process and those up to npm, each with its parent; empty when npm is not an ancestor. */
function ancestorsUpToNpm(): { pid: number; parent: number }[] {
  const chain: { pid: number; parent: number }[] = [];
  for (let pid = process.pid; pid > 1 && chain.length < 6; ) {
    const parent = parentOf(pid);
    if (parent === null) return [];
    chain.push({ pid, parent });
    if (/^npm\b/.test(commandOf(parent))) return chain;
    pid = parent;
  }
  return [];
}

function parentOf(pid: number): number | null {
  try {
    // pid (name) state ppid ...; the name may hold spaces and brackets (proc(5)).
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
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
