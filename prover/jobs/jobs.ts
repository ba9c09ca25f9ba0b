import type { Hex } from "viem";
import { Job } from "./job";
import { type RunDependencies, runJob, type Work } from "./run";

/** How long a finished job stays in memory; a proven one can be read from its row after that. */
const keepFinishedMs = 10 * 60_000;

/** The jobs of this process. */
export class Jobs {
  readonly #running = new Map<Hex, Job>();
  readonly #byToken = new Map<string, Job>();

  constructor(readonly deps: RunDependencies) {}

  /** The job that works on this payment now. */
  running(paymentId: Hex): Job | undefined {
    return this.#running.get(paymentId);
  }

  find(token: string): Job | undefined {
    return this.#byToken.get(token);
  }

  /** Starts a job that holds a place in the queue until it ends. The caller made sure none runs. */
  start(job: Job, work: Work, release: () => void): Job {
    this.#running.set(job.paymentId, job);
    this.#byToken.set(job.token, job);
    void runJob(this.deps, job, work).then((end) => {
      this.#running.delete(job.paymentId);
      release();
      job.end(end);
      setTimeout(() => {
        if (this.#byToken.get(job.token) === job) this.#byToken.delete(job.token);
      }, keepFinishedMs).unref();
    });
    return job;
  }

  /** Resolves when no job runs. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map((job) => job.finished));
  }
}
