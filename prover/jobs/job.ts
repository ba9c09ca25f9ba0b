import type { Hex } from "viem";
import type { CircuitId } from "@/lib/proofs/deployment";
import type { JobPayment, JobStatus, Job as JobView, ProveResult } from "@/lib/proofs/wire";
import { jobError, type ProverRefusal } from "../refusal";

/** How a job ended. */
export type Finished =
  | { status: "done"; result: ProveResult; payment: JobPayment }
  | { status: "failed"; refusal: ProverRefusal; payment?: JobPayment };

/** One paid proof in progress, in memory. State that must survive a crash is in the payment's row. */
export class Job {
  readonly finished: Promise<Finished>;
  #finish: (end: Finished) => void = () => undefined;
  #view: JobView = { status: "settling" };
  #since = performance.now();
  #listeners = new Set<(view: JobView) => void>();

  constructor(
    readonly paymentId: Hex,
    readonly circuit: CircuitId,
    readonly token: string,
  ) {
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Returns the job as GET /api/v1/jobs/{token} shows it. */
  view(): JobView {
    return this.#view.status === "proving" ? { ...this.#view, elapsedMs: this.#elapsed() } : this.#view;
  }

  /** Calls back with every change. @returns a function that stops the calls */
  listen(listener: (view: JobView) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Enters a step. */
  step(
    status: Exclude<JobStatus, "done" | "failed">,
    details: Pick<JobView, "position" | "expectedMs"> = {},
  ): void {
    if (status !== this.#view.status) this.#since = performance.now();
    this.#set({ status, ...details, payment: this.#view.payment });
  }

  paid(payment: JobPayment): void {
    this.#set({ ...this.#view, payment });
  }

  /** Shows the job as another process shows it. Listeners get no view twice. */
  mirror(view: JobView): void {
    if (view.status === "done" || view.status === "failed") return;
    if (JSON.stringify({ ...view, elapsedMs: 0 }) === JSON.stringify({ ...this.#view, elapsedMs: 0 })) return;
    if (view.status !== this.#view.status) this.#since = performance.now() - (view.elapsedMs ?? 0);
    this.#set(view);
  }

  end(end: Finished): void {
    const { payment } = end;
    if (end.status === "done") this.#set({ status: "done", result: end.result, payment });
    else this.#set({ status: "failed", error: jobError(end.refusal), payment });
    this.#listeners.clear();
    this.#finish(end);
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#since);
  }

  #set(view: JobView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener(this.view());
  }
}
