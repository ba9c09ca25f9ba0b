/**
 * `npm run circuits:soundness [-- --short | --removal] [-- --circuit <id>] [-- --work <name>]`: tries to break the circuits;
 * see circuits/SOUNDNESS.md, which the long form writes, and circuits/ASSERTIONS.md, which the removal of assertions
 * writes. Work is done two pieces at a time in processes of their own. Exits 1 when anything is accepted that must be
 * refused, or refused that must be accepted. The last line is "N passed, N failed", every trial being one.
 */
import { type ChildProcess, fork } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type Form, isRight, type Row } from "@/circuits/soundness/groups/group";
import { addUp, type Found, type Job, jobsOf, removalJobs, runJob } from "@/circuits/soundness/jobs";
import type { Removal } from "@/circuits/soundness/removal";
import { removalReport, report, table, unexplained } from "@/circuits/soundness/report";
import { circuitIds } from "@/lib/proofs/deployment";
import { CIRCUITS_DIR } from "./paths";

const WORKER = "--worker";
const WORKERS = 2;

const FoundSchema: z.ZodType<Found> = z.object({
  rows: z.array(
    z.object({
      circuit: z.enum([...circuitIds, "probes"]),
      group: z.string(),
      expected: z.enum(["all", "none"]),
      tried: z.number(),
      accepted: z.number(),
      problems: z.array(z.string()),
    }),
  ),
  removals: z.array(
    z.object({
      circuit: z.enum(circuitIds),
      assertion: z.object({ file: z.string(), line: z.number(), text: z.string() }),
      outcome: z.enum(["missed", "unchanged", "survived"]),
      by: z.string().optional(),
    }),
  ),
});
const Request = z.object({
  job: z.object({
    work: z.string(),
    circuit: z.enum(circuitIds).optional(),
    part: z.number(),
    parts: z.number(),
  }),
  form: z.enum(["short", "long"]),
});
const Reply = z.union([
  z.object({ line: z.string() }),
  z.object({ found: FoundSchema }),
  z.object({ crashed: z.string() }),
]);

/** Does what it is sent, one job after the other, until the parent is gone. */
function serve(): void {
  const send = (reply: z.infer<typeof Reply>) => process.send?.(reply);
  process.on("message", async (message) => {
    const { job, form } = Request.parse(message);
    try {
      send({ found: await runJob({ ...job, circuit: job.circuit }, form, (line) => send({ line })) });
    } catch (error) {
      send({ crashed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.once("disconnect", () => process.exit());
}

/** One worker process after another: a job that ends its process does not take the next ones with it. */
class Worker {
  #child: ChildProcess | undefined;
  #settle: ((found: Found) => void) | undefined;
  #job: Job | undefined;

  run(job: Job, form: Form): Promise<Found> {
    const child = this.#child ?? this.#start();
    this.#job = job;
    return new Promise((resolve) => {
      this.#settle = resolve;
      child.send({ job, form });
    });
  }

  end(): void {
    this.#settle = undefined;
    this.#child?.disconnect();
  }

  #start(): ChildProcess {
    // The compiler writes to standard output past its log callback.
    const child = fork(import.meta.filename, [WORKER], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    this.#child = child;
    child.on("message", (message) => {
      const reply = Reply.parse(message);
      if ("line" in reply) console.log(`    ${reply.line}`);
      else if ("found" in reply) this.#settle?.(reply.found);
      else this.#settle?.(crash(this.#job, reply.crashed));
    });
    child.on("exit", (code) => {
      if (this.#child === child) this.#child = undefined;
      this.#settle?.(crash(this.#job, `the process ended with code ${code}`));
    });
    return child;
  }
}

/** A job that ended in an error is one failure. */
function crash(job: Job | undefined, reason: string): Found {
  const row: Row = {
    circuit: job?.circuit ?? "probes",
    group: job?.work ?? "",
    expected: "all",
    tried: 1,
    accepted: 0,
    problems: [reason],
  };
  return { rows: [row], removals: [] };
}

function titleOf({ work, circuit, part, parts }: Job): string {
  return [work, circuit, parts > 1 ? `${part + 1}/${parts}` : undefined].filter(Boolean).join(" ");
}

async function main(): Promise<void> {
  const form: Form = process.argv.includes("--short") ? "short" : "long";
  const named = process.argv.indexOf("--circuit");
  const only = named < 0 ? undefined : z.enum(circuitIds).parse(process.argv[named + 1]);
  const work = process.argv.includes("--work") ? process.argv[process.argv.indexOf("--work") + 1] : undefined;
  const isRemoval = process.argv.includes("--removal");
  const jobs = isRemoval ? removalJobs(only) : jobsOf(form, only);
  const queue = jobs.filter((job) => work === undefined || job.work === work);
  const isWhole = form === "long" && only === undefined && work === undefined;
  const total = queue.length;
  const started = performance.now();
  const rows: Row[] = [];
  const removals: Removal[] = [];
  let done = 0;

  const drain = async () => {
    const worker = new Worker();
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const found = await worker.run(job, form);
      rows.push(...found.rows);
      removals.push(...found.removals);
      done++;
      const tried = found.rows.reduce((sum, row) => sum + row.tried, found.removals.length);
      const wrong = found.rows.some(({ problems }) => problems.length > 0) ? "  WRONG" : "";
      const seconds = Math.round((performance.now() - started) / 1000);
      console.log(
        `${String(done).padStart(3)}/${total} ${seconds} s  ${titleOf(job)}: ${tried} tried${wrong}`,
      );
      for (const problem of found.rows.flatMap(({ problems }) => problems).slice(0, 20))
        console.log(`    ${problem}`);
    }
    worker.end();
  };
  await Promise.all(Array.from({ length: WORKERS }, drain));

  const sums = sorted(addUp(rows));
  console.log(`\n${table(sums)}\n`);
  const survivors = unexplained(removals);
  for (const { circuit, assertion } of survivors) {
    console.log(
      `every case survives without ${assertion.file}:${assertion.line} ${assertion.text} (${circuit})`,
    );
  }
  if (isWhole) {
    const order = removals.sort((a, b) => keyOf(a).localeCompare(keyOf(b), "en", { numeric: true }));
    const file = path.join(CIRCUITS_DIR, isRemoval ? "ASSERTIONS.md" : "SOUNDNESS.md");
    fs.writeFileSync(file, isRemoval ? removalReport(order) : report(sums));
  }
  const failed = sums.reduce((sum, row) => sum + failuresOf(row), 0) + survivors.length;
  const passed = sums.reduce((sum, row) => sum + row.tried, removals.length) - failed;
  console.log(`${Math.max(0, passed)} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

const keyOf = ({ circuit, assertion }: Removal) => `${circuit} ${assertion.file} ${assertion.line}`;

/** Rows by circuit, in the order of the registry, whatever ended first. */
function sorted(rows: readonly Row[]): Row[] {
  const rank = ({ circuit }: Row) => [...circuitIds, "probes"].indexOf(circuit);
  return [...rows].sort((a, b) => rank(a) - rank(b) || a.group.localeCompare(b.group));
}

function failuresOf(row: Row): number {
  if (isRight(row)) return 0;
  return Math.max(1, row.problems.length);
}

if (process.argv.includes(WORKER)) serve();
else await main();
