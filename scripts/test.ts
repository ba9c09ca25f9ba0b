import { rm } from "node:fs/promises";
import { ensureBrowser } from "./stack/checks/browser";
import { type Counts, check, countedByLastLine, playwright, vitest } from "./stack/checks/run";
import { Children } from "./stack/children";
import { type Stack, startStack, temporarySettings } from "./stack/index";
import { ensureNextBuild } from "./stack/next-build";
import { consoleReporter, formatElapsed } from "./stack/progress";
import { type Environment, homePaths } from "./stack/settings";

/**
 * `npm test [-- --only unit,api]`: everything that has to hold, in one run. The last line is
 * "N passed, N failed"; exit status 1 when anything failed or a section crashed.
 */
interface Section {
  name: string;
  title: string;
  run(): Promise<Counts>;
}

let stack: Promise<Stack> | undefined;

/** One stack for the journey and the browser, started when the first of them needs it. */
function runningStack(): Promise<Stack> {
  stack ??= temporarySettings({ env: { ...process.env, DEV_LOGIN: "1" } }).then((settings) =>
    startStack({ settings, reporter: consoleReporter() }),
  );
  return stack;
}

async function stopStack(): Promise<void> {
  const running = await stack?.catch(() => undefined);
  if (!running) return;
  await running.stop();
  await rm(running.settings.home, { recursive: true, force: true });
}

function stackEnv({ deploymentFile, settings }: Stack): Environment {
  return {
    PARLEY_DEPLOYMENT: deploymentFile,
    PARLEY_HOME: settings.home,
    PORT: String(settings.ports.app),
    DEV_LOGIN: "1",
  };
}

const sections: readonly Section[] = [
  { name: "lint", title: "Lint", run: () => check("biome", ["ci", "."]) },
  {
    name: "types",
    title: "Types",
    run: async () => {
      // Writes next-env.d.ts and the route types, which are not committed.
      const generated = await check("next", ["typegen"]);
      return generated.failed > 0 ? generated : check("tsc", ["--noEmit"]);
    },
  },
  {
    name: "artifacts",
    title: "Circuit artifacts are what the source compiles to",
    run: () => check("tsx", ["scripts/circuits/build.ts", "--check"]),
  },
  { name: "gates", title: "Gate budgets", run: () => check("tsx", ["scripts/circuits/gates.ts"]) },
  {
    name: "circuits",
    title: "Noir tests",
    run: () => countedByLastLine("tsx", ["scripts/circuits/test.ts"]),
  },
  {
    name: "soundness",
    title: "Soundness of the circuits, short form",
    run: () => countedByLastLine("tsx", ["scripts/circuits/soundness.ts", "--short"]),
  },
  {
    name: "contracts",
    title: "Contract artifacts are what the source compiles to",
    run: () => check("tsx", ["scripts/contracts/build.ts", "--check"]),
  },
  { name: "unit", title: "Unit tests", run: () => vitest("unit") },
  { name: "api", title: "API tests", run: () => vitest("api") },
  { name: "prover", title: "Prover tests: real proofs, real settlement", run: () => vitest("prover") },
  {
    name: "build",
    title: "App build",
    run: async () => {
      const settings = await temporarySettings();
      const children = new Children(homePaths(settings.home).logs, () => {});
      try {
        console.log((await ensureNextBuild(children)) ? "built" : "sources unchanged since the last build");
      } finally {
        await children.stop();
        await rm(settings.home, { recursive: true, force: true });
      }
      return { passed: 1, failed: 0 };
    },
  },
  {
    name: "journey",
    title: "Journey of an agent",
    run: async () => countedByLastLine("tsx", ["scripts/journey.ts"], stackEnv(await runningStack())),
  },
  {
    name: "e2e",
    title: "Journeys in a browser",
    run: async () => {
      await ensureBrowser();
      const running = await runningStack();
      return playwright(running.deployment.services.appUrl, stackEnv(running));
    },
  },
];

function selected(args: readonly string[]): readonly Section[] {
  const at = args.indexOf("--only");
  if (at < 0) return sections;
  const wanted = (args[at + 1] ?? "").split(",").filter(Boolean);
  const unknown = wanted.filter((name) => !sections.some((s) => s.name === name));
  if (wanted.length === 0 || unknown.length > 0) {
    throw new Error(`--only takes a comma-separated list of: ${sections.map((s) => s.name).join(", ")}`);
  }
  return sections.filter((s) => wanted.includes(s.name));
}

async function main(): Promise<void> {
  const rows: string[] = [];
  const total: Counts = { passed: 0, failed: 0 };
  const started = Date.now();
  for (const section of selected(process.argv.slice(2))) {
    const begun = Date.now();
    console.log(`\n=== ${section.title} (${section.name}) ===\n`);
    let counts: Counts;
    try {
      counts = await section.run();
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      counts = { passed: 0, failed: 1 };
    }
    total.passed += counts.passed;
    total.failed += counts.failed;
    rows.push(
      `${counts.failed > 0 ? "FAIL" : "  ok"}  ${section.name.padEnd(10)} ${formatElapsed(Date.now() - begun).padStart(12)}  ${counts.passed} passed, ${counts.failed} failed`,
    );
  }
  await stopStack();
  console.log(`\n${rows.join("\n")}\n\nin ${formatElapsed(Date.now() - started)}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exit(total.failed > 0 ? 1 : 0);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stopStack().finally(() => process.exit(1)));
}
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  void stopStack().finally(() => process.exit(1));
});
