import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ROOT } from "../root";
import type { Environment } from "../settings";
import { output } from "./output";
import { type Failure, readPlaywrightReport, readVitestReport } from "./reports";

/** Outcome of one section of `npm test`. */
export interface Counts {
  passed: number;
  failed: number;
  /** Those of the failures that the runner names. */
  failures?: readonly Failure[];
}

const BIN = path.join(ROOT, "node_modules", ".bin");
/** Enough for the last lines of any runner. */
const TAIL_CHARS = 20_000;

/** Runs a program of node_modules/.bin in the root, passing its output through. Resolves with exit code and end of output. */
export function runProgram(
  program: string,
  args: readonly string[],
  env: Environment = {},
): Promise<{ code: number; tail: string }> {
  return new Promise((resolve, reject) => {
    const command = path.isAbsolute(program) ? program : path.join(BIN, program);
    const child = spawn(command, args, {
      cwd: ROOT,
      // Piped through us they would think that nobody sees colours; in a log nobody does.
      env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const out = output();
    let tail = "";
    for (const stream of [child.stdout, child.stderr]) {
      // Characters of several bytes may come in two parts.
      stream.setEncoding("utf8").on("data", (text: string) => {
        out.write(text);
        tail = (tail + text).slice(-TAIL_CHARS);
      });
    }
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, tail }));
  });
}

/** A program whose exit status is the whole answer: one test. */
export async function check(program: string, args: readonly string[], env?: Environment): Promise<Counts> {
  const { code } = await runProgram(program, args, env);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A program that prints "N passed, N failed" last. Crashing without that line is one failure. */
export async function countedByLastLine(
  program: string,
  args: readonly string[],
  env?: Environment,
): Promise<Counts> {
  const { code, tail } = await runProgram(program, args, env);
  return withExit(code, lastLineCounts(tail));
}

/** The last "N passed, N failed" in a program's output; zeros when there is none. */
export function lastLineCounts(output: string): Counts {
  const last = [...output.matchAll(/(\d+) passed, (\d+) failed/g)].at(-1);
  return { passed: Number(last?.[1] ?? 0), failed: Number(last?.[2] ?? 0) };
}

export interface VitestOptions {
  /** Parts of paths; without them every file of the project. */
  readonly files?: readonly string[];
  readonly env?: Environment;
  /** How many processes at most; without it as many as there are cores. */
  readonly workers?: string;
}

/** One vitest project; a file that does not even load counts as a failure. */
export async function vitest(
  project: string,
  { files = [], env, workers }: VitestOptions = {},
): Promise<Counts> {
  return withReport("vitest.json", async (file) => {
    const args = ["run", ...files, "--project", project, "--reporter=default", "--reporter=json"];
    if (workers) args.push(`--maxWorkers=${workers}`);
    const { code } = await runProgram("vitest", [...args, `--outputFile.json=${file}`], env);
    return withExit(code, readVitestReport(await readFile(file, "utf8")));
  });
}

/** All Playwright projects against the stack at `url`, or what `args` picks of them. */
export async function playwright(url: string, env: Environment, args: readonly string[]): Promise<Counts> {
  return withReport("playwright.json", async (file) => {
    const { code } = await runProgram("playwright", ["test", ...args, "--reporter=list,json"], {
      ...env,
      PARLEY_E2E_URL: url,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    });
    return withExit(code, readPlaywrightReport(await readFile(file, "utf8")));
  });
}

/** Adds a failure when a runner ended badly without naming one. */
function withExit(code: number, counts: Counts): Counts {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function withReport(name: string, run: (file: string) => Promise<Counts>): Promise<Counts> {
  return withFolder((dir) => run(path.join(dir, name)));
}

/** A temporary folder for as long as `run` takes. */
export async function withFolder<T>(run: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "parley-"));
  try {
    return await run(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
