import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Environment } from "@/lib/settings/read";
import { withFolder } from "../folder";
import { ROOT } from "../settings";
import { type Failure, pageIn, readPlaywrightReport, readVitestReport } from "./reports";

/** The outcome of one section of `npm test`. */
export interface Counts {
  passed: number;
  failed: number;
  /** The failures that the test runner names. */
  failures?: readonly Failure[];
}

const BIN = path.join(ROOT, "node_modules", ".bin");
const TAIL_CHARS = 20_000;

/** Runs a program of node_modules/.bin in the root and passes its output through. @returns exit code and end of output */
export function runProgram(
  program: string,
  args: readonly string[],
  env: Environment = {},
): Promise<{ code: number; tail: string }> {
  return new Promise((resolve, reject) => {
    const command = path.isAbsolute(program) ? program : path.join(BIN, program);
    const child = spawn(command, args, {
      cwd: ROOT,
      // Programs disable colors on a pipe; a terminal behind ours still shows them.
      env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const out = output();
    let tail = "";
    for (const stream of [child.stdout, child.stderr]) {
      // A multi-byte character may arrive in two parts.
      stream.setEncoding("utf8").on("data", (text: string) => {
        out.write(text);
        tail = (tail + text).slice(-TAIL_CHARS);
      });
    }
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, tail }));
  });
}

/** Runs a program whose exit status is the result, as one test. */
export async function check(program: string, args: readonly string[], env?: Environment): Promise<Counts> {
  const { code } = await runProgram(program, args, env);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs a program that prints "N passed, N failed" last. A crash without that line is one failure. */
export async function countedByLastLine(
  program: string,
  args: readonly string[],
  env?: Environment,
): Promise<Counts> {
  const { code, tail } = await runProgram(program, args, env);
  return withExit(code, lastLineCounts(tail));
}

/** Reads the last "N passed, N failed" of a program's output; zeros when there is none. */
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
  return withFolder(async (folder) => {
    const file = path.join(folder, "vitest.json");
    const args = ["run", ...files, "--project", project, "--reporter=default", "--reporter=json"];
    if (workers) args.push(`--maxWorkers=${workers}`);
    const { code } = await runProgram("vitest", [...args, `--outputFile.json=${file}`], env);
    return withExit(code, readVitestReport(await readFile(file, "utf8")));
  });
}

/** Runs the Playwright projects, or those that `args` selects, against the stack at `url`. */
export async function playwright(url: string, env: Environment, args: readonly string[]): Promise<Counts> {
  return withFolder(async (folder) => {
    const file = path.join(folder, "playwright.json");
    const { code } = await runProgram("playwright", ["test", ...args, "--reporter=list,json"], {
      ...env,
      PARLEY_E2E_URL: url,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    });
    const { failures, ...counts } = readPlaywrightReport(await readFile(file, "utf8"));
    return withExit(code, { ...counts, failures: await Promise.all(failures.map(withPage)) });
  });
}

/** Adds to a failure what the page showed: what went wrong once may not do so again. */
async function withPage({ context, ...failed }: Failure): Promise<Failure> {
  const page = context ? pageIn(await readFile(context, "utf8").catch(() => "")) : "";
  return page ? { ...failed, message: `${failed.message}\n\n${page}` } : failed;
}

/** Adds a failure when a test runner failed without naming one. */
function withExit(code: number, counts: Counts): Counts {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Receives the output of a section. */
export interface Output {
  write(text: string): void;
}

const current = new AsyncLocalStorage<Output>();

/** Returns the output of the section this code runs in, or the terminal outside a section. */
export function output(): Output {
  return current.getStore() ?? process.stdout;
}

/** Runs `work` with `to` as its output. */
export function printingTo<T>(to: Output, work: () => Promise<T>): Promise<T> {
  return current.run(to, work);
}

/**
 * Prefixes lines with a label, so that concurrent sections stay distinguishable. It passes on complete lines; `end` passes
 * on the rest.
 */
export function labelled(label: string, out: Output): Output & { end(): void } {
  let rest = "";
  return {
    write(text) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (lines.length > 0) out.write(lines.map((line) => `${label}${line}\n`).join(""));
    },
    end() {
      if (rest) out.write(`${label}${rest}\n`);
      rest = "";
    },
  };
}
