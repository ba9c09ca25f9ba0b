import type { Hex } from "viem";
import { ProverRefusal, refusals } from "../refusal";
import type { Instances } from "../store/instances";
import type { Found, PaymentStore } from "../store/payments";
import type { Finished, Job } from "./job";
import type { Presenter } from "./present";
import { failedProgress, runningProgress } from "./present";
import type { ProofQueue } from "./queue";
import { type RunDependencies, type RunEnd, runJob, type Work, wasInterrupted } from "./run";

/** How long a finished job stays in memory; a proven one can be read from its row after that. */
const keepFinishedMs = 10 * 60_000;
/** How often a job of another process is read. */
const followMs = 300;

/** Repeats the paid request of a job whose process died: claims the payment, or joins the process that has. */
export type Again = () => Promise<{ job: Job } | { proven: Found["row"] }>;

export interface JobsDependencies {
  run: RunDependencies;
  payments: PaymentStore;
  instances: Pick<Instances, "me">;
  queue: Pick<ProofQueue, "run">;
  presenter: Presenter;
  /** Resolves after this many milliseconds. */
  wait(ms: number): Promise<void>;
}

/** The jobs of this process: those it works on, and those of other processes that a client of this one waits for. */
export class Jobs {
  readonly #running = new Map<Hex, Job>();
  readonly #byToken = new Map<string, Job>();
  #closed = false;

  constructor(readonly deps: JobsDependencies) {}

  /** Returns the job that works on this payment now, in this process or another. */
  running(paymentId: Hex): Job | undefined {
    return this.#running.get(paymentId);
  }

  find(token: string): Job | undefined {
    return this.#byToken.get(token);
  }

  /** Jobs in progress, including those of other processes. */
  get size(): number {
    return this.#running.size;
  }

  /** Starts a job. The caller owns the payment and has checked that no job runs for it. */
  start(job: Job, work: Work, again: Again): Job {
    this.#enter(job);
    const { run, queue } = this.deps;
    const worked = this.#own(job, () => runJob(run, job, work, (make) => queue.run(job, work, make)));
    void worked.then(async (end) => {
      if (end.status === "passed-on") await this.#follow(job, again);
      else this.#end(job, end);
    });
    return job;
  }

  /** Waits for a job that another process works on. */
  follow(job: Job, again: Again): Job {
    this.#enter(job);
    void this.#follow(job, again);
    return job;
  }

  /** Makes the proof of a job that another process enqueued and a worker of this one took. Never throws. */
  async take(job: Job, work: Work): Promise<Finished> {
    // A client of this process may have followed it while another process had it.
    this.#enter(job);
    const end = await this.#own(job, () => runJob(this.deps.run, job, work, (make) => make()));
    if (end.status === "passed-on") throw new Error("a job that a worker has is not passed on");
    this.#end(job, end);
    return end;
  }

  /** Resolves when no job is running. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map((job) => job.finished));
  }

  /** Follows no more jobs of other processes: whoever waits for them asks another. */
  close(): void {
    this.#closed = true;
  }

  /** Runs a job of this process, and stores its steps and its failure for readers at other processes. */
  async #own<E extends RunEnd>(job: Job, work: () => Promise<E>): Promise<E> {
    const { payments, instances } = this.deps;
    let written = Promise.resolve();
    const note = (fields: Parameters<PaymentStore["note"]>[2]) => {
      written = written.then(() => payments.note(job.paymentId, instances.me, fields)).catch(() => undefined);
    };
    const stop = job.listen((view) => {
      const { elapsedMs = 0 } = view;
      note({ progress: runningProgress(view, Date.now() - elapsedMs) });
    });
    try {
      const end = await work();
      // An interrupted job goes back to the queue, which says so in its row.
      if (end.status === "failed" && !wasInterrupted(end)) {
        note({ owner: null, progress: failedProgress(end.refusal) });
      }
      await written;
      return end;
    } finally {
      stop();
    }
  }

  /** Mirrors a job of another process until it ends. If that process dies, repeats the request here. */
  async #follow(job: Job, again: Again): Promise<void> {
    try {
      for (;;) {
        if (this.#closed) throw refusals.interrupted();
        const found = await this.deps.payments.find(job.paymentId);
        if (!found) throw new Error("a payment does not vanish");
        if (!found.owned || found.row.owner === this.deps.instances.me) {
          const end = this.deps.presenter.ended(found.row, job.token);
          // Ours again, or without an owner and an end: its process died or gave it back.
          if (!end || found.row.owner !== null) return await this.#repeat(job, again);
          return this.#end(job, end);
        }
        job.mirror(await this.deps.presenter.running(found.row));
        await this.deps.wait(followMs);
      }
    } catch (error) {
      this.#end(job, {
        status: "failed",
        refusal: error instanceof ProverRefusal ? error : refusals.interrupted(),
      });
    }
  }

  async #repeat(job: Job, again: Again): Promise<void> {
    if (this.#running.get(job.paymentId) === job) this.#running.delete(job.paymentId);
    const admitted = await again();
    if ("proven" in admitted) {
      this.#end(job, { status: "done", ...this.deps.presenter.delivered(admitted.proven, job.token) });
      return;
    }
    const stop = admitted.job.listen((view) => job.mirror(view));
    const end = await admitted.job.finished;
    stop();
    job.end(end);
  }

  #enter(job: Job): void {
    this.#running.set(job.paymentId, job);
    this.#byToken.set(job.token, job);
  }

  #end(job: Job, end: Finished): void {
    if (this.#running.get(job.paymentId) === job) this.#running.delete(job.paymentId);
    job.end(end);
    setTimeout(() => {
      if (this.#byToken.get(job.token) === job) this.#byToken.delete(job.token);
    }, keepFinishedMs).unref();
  }
}
