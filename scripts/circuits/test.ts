/**
 * `npm run circuits:test [crate...]`: runs the Noir tests of the gadget crates, two crates at a time in
 * processes of their own. The last line is "N passed, N failed"; exits 1 when one failed.
 */
import { type ChildProcess, fork } from "node:child_process";
import { runCrate, TestResult } from "./crate-tests";
import { crateNames } from "./paths";

const WORKER = "--worker";

async function work(): Promise<void> {
  const crate = process.argv[process.argv.indexOf(WORKER) + 1];
  if (crate === undefined) throw new Error("No crate was named.");
  try {
    await runCrate(crate, (result) => process.send?.(result));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  process.disconnect();
}

/** Runs one crate in a child process; a crate that does not compile is one failed test. */
function runApart(crate: string, report: (result: TestResult) => void): Promise<void> {
  return new Promise((resolve) => {
    const child: ChildProcess = fork(import.meta.filename, [WORKER, crate], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let errors = "";
    child.stderr?.on("data", (chunk) => {
      errors += String(chunk);
    });
    child.on("message", (message) => report(TestResult.parse(message)));
    child.on("close", (code) => {
      if (code !== 0) report({ crate, name: "(crate)", problem: errors || `exit code ${code}` });
      resolve();
    });
  });
}

async function main(): Promise<void> {
  const named = process.argv.slice(2);
  const queue = named.length > 0 ? named : crateNames();
  const results: TestResult[] = [];
  const report = (result: TestResult) => {
    results.push(result);
    console.log(`${result.problem ? "FAIL" : "ok  "} ${result.crate}::${result.name}`);
    if (result.problem) console.log(`     ${result.problem}`);
  };
  const drain = async () => {
    for (let crate = queue.shift(); crate !== undefined; crate = queue.shift()) await runApart(crate, report);
  };
  await Promise.all([drain(), drain()]);
  const failed = results.filter(({ problem }) => problem !== undefined).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  if (failed > 0 || results.length === 0) process.exitCode = 1;
}

await (process.argv.includes(WORKER) ? work() : main());
