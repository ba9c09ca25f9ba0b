/**
 * `npm run circuits:test [crate...]`: runs the Noir tests of the gadget crates in two processes, each of which takes one crate after
 * the other: it is the first crate of a process that costs, for which the compiler itself is compiled. The last line is
 * "N passed, N failed"; exits 1 when one failed.
 */
import { type ChildProcess, fork } from "node:child_process";
import { z } from "zod";
import { runCrate, TestResult } from "./crate-tests";
import { crateNames } from "./paths";

const WORKER = "--worker";

const Reply = z.union([
  z.object({ result: TestResult }),
  z.object({ ended: z.string(), problem: z.string().optional() }),
]);
type Reply = z.infer<typeof Reply>;

/** Runs the crates that it is sent, until the parent is gone. */
function serve(): void {
  const send = (reply: Reply) => process.send?.(reply);
  process.on("message", async (message) => {
    const crate = z.string().parse(message);
    try {
      await runCrate(crate, (result) => send({ result }));
      send({ ended: crate });
    } catch (error) {
      send({ ended: crate, problem: error instanceof Error ? error.message : String(error) });
    }
  });
  process.once("disconnect", () => process.exit());
}

/** A process for one crate after another; the next crate gets a new one when a crate ends it. */
class Worker {
  #child: ChildProcess | undefined;
  #errors = "";

  /** Runs one crate; one that does not compile is one failed test. */
  run(crate: string, report: (result: TestResult) => void): Promise<void> {
    const child = this.#child ?? this.#start();
    this.#errors = "";
    return new Promise((resolve) => {
      const end = (problem: string | undefined) => {
        child.removeAllListeners("message").removeAllListeners("close");
        if (problem !== undefined) report({ crate, name: "(crate)", problem });
        resolve();
      };
      child.on("message", (message) => {
        const reply = Reply.parse(message);
        if ("result" in reply) report(reply.result);
        else end(reply.problem);
      });
      child.on("close", (code) => {
        this.#child = undefined;
        end(this.#errors || `exit code ${code}`);
      });
      child.send(crate);
    });
  }

  end(): void {
    this.#child?.disconnect();
  }

  #start(): ChildProcess {
    const child = fork(import.meta.filename, [WORKER], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    child.stderr?.on("data", (chunk) => {
      this.#errors += String(chunk);
    });
    this.#child = child;
    return child;
  }
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
    const worker = new Worker();
    for (let crate = queue.shift(); crate !== undefined; crate = queue.shift())
      await worker.run(crate, report);
    worker.end();
  };
  await Promise.all([drain(), drain()]);
  const failed = results.filter(({ problem }) => problem !== undefined).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  if (failed > 0 || results.length === 0) process.exitCode = 1;
}

if (process.argv.includes(WORKER)) serve();
else await main();
