/**
 * `npm run circuits:soundness [-- --short | --removal | --mutants] [-- --circuit <id>] [-- --work <name>] [-- --workers <n>]`: tries to
 * break the circuits; see circuits/SOUNDNESS.md, which the long form writes, also a part of it at a time. `--removal` takes every assertion out of the sources and
 * writes circuits/ASSERTIONS.md, `--mutants` changes every constant and writes circuits/MUTANTS.md; neither repeats what was tried on the same
 * sources. Work is done two pieces at a time in processes of their own. Exits 1 when anything is accepted that must be
 * refused, or refused that must be accepted. The last line is "N passed, N failed", every trial being one.
 */
import { type ChildProcess, fork } from "node:child_process";
import fs from "node:fs";
import { z } from "zod";
import { circuitNames } from "@/lib/proofs/deployment";
import { type Form, isRight, type Row } from "./groups/group";
import { addUp, type Found, type Job, jobsOf, mutantJobs, runJob } from "./jobs";
import { faultReport, faultReportFile } from "./mutants/report";
import { tidy, works } from "./mutants/store";
import { REPORT_FILE, report, table } from "./report";
import { keepTrials } from "./trials";

const WORKER = "--worker";

const FoundSchema: z.ZodType<Found> = z.object({
  hasCrashed: z.literal(true).optional(),
  rows: z.array(
    z.object({
      circuit: z.enum([...circuitNames, "probes"]),
      group: z.string(),
      expected: z.enum(["all", "none", "any"]),
      tried: z.number(),
      accepted: z.number(),
      problems: z.array(z.string()),
    }),
  ),
});
const Request = z.object({
  job: z.object({
    work: z.string(),
    circuit: z.enum(circuitNames).optional(),
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
  return { rows: [row], hasCrashed: true };
}

/** Which parts of a work on a circuit are still to come, and what the others found. */
class Works {
  readonly #parts = new Map<string, { left: number; rows: Row[] }>();

  constructor(jobs: readonly Job[]) {
    for (const job of jobs) this.#of(job).left++;
  }

  /** All rows of the job's work, once none of its parts is left and none has crashed. */
  end(job: Job, { rows, hasCrashed }: Found): Row[] | undefined {
    const all = this.#of(job);
    if (hasCrashed) return undefined;
    all.rows.push(...rows);
    all.left--;
    return all.left === 0 ? all.rows : undefined;
  }

  #of({ work, circuit }: Job) {
    const key = `${work} ${circuit ?? ""}`;
    const known = this.#parts.get(key) ?? { left: 0, rows: [] };
    this.#parts.set(key, known);
    return known;
  }
}

function titleOf({ work, circuit, part, parts }: Job): string {
  return [work, circuit, parts > 1 ? `${part + 1}/${parts}` : undefined].filter(Boolean).join(" ");
}

async function main(): Promise<void> {
  const form: Form = process.argv.includes("--short") ? "short" : "long";
  const optionOf = (option: string) =>
    process.argv.includes(option) ? process.argv[process.argv.indexOf(option) + 1] : undefined;
  const work = optionOf("--work");
  const only = z.enum(circuitNames).optional().parse(optionOf("--circuit"));
  const workers = z.coerce.number().int().positive().default(2).parse(optionOf("--workers"));
  const faults = works.filter((one) => process.argv.includes(`--${one}`));
  const jobs = faults.length > 0 ? faults.flatMap((fault) => mutantJobs(fault, only)) : jobsOf(form, only);
  const queue = jobs.filter((job) => work === undefined || job.work === work);
  const isKept = form === "long" && faults.length === 0;
  const open = new Works(queue);
  const total = queue.length;
  const started = performance.now();
  const rows: Row[] = [];
  let done = 0;

  const drain = async () => {
    const worker = new Worker();
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const found = await worker.run(job, form);
      rows.push(...found.rows);
      const ended = open.end(job, found);
      if (isKept && ended) keepTrials(sorted(addUp(ended)));
      done++;
      const tried = found.rows.reduce((sum, row) => sum + row.tried, 0);
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
  await Promise.all(Array.from({ length: workers }, drain));

  const sums = sorted(addUp(rows));
  console.log(`\n${table(sums)}\n`);
  if (faults.length > 0) {
    // A run on one circuit may go on beside another one: it leaves the reports alone.
    if (only === undefined) tidy();
    for (const fault of only === undefined ? faults : [])
      fs.writeFileSync(faultReportFile(fault), faultReport(fault));
  } else if (isKept) {
    fs.writeFileSync(REPORT_FILE, report());
  }
  const failed = sums.reduce((sum, row) => sum + failuresOf(row), 0);
  const passed = sums.reduce((sum, row) => sum + row.tried, 0) - failed;
  console.log(`${Math.max(0, passed)} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

/** Rows by circuit, in the order of the registry, whatever ended first. */
function sorted(rows: readonly Row[]): Row[] {
  const rank = ({ circuit }: Row) => [...circuitNames, "probes"].indexOf(circuit);
  return [...rows].sort((a, b) => rank(a) - rank(b) || a.group.localeCompare(b.group));
}

function failuresOf(row: Row): number {
  if (isRight(row)) return 0;
  return Math.max(1, row.problems.length);
}

if (process.argv.includes(WORKER)) serve();
else await main();
