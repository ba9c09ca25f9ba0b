import { randomUUID } from "node:crypto";
import type { Hex } from "viem";
import { z } from "zod";
import { circuitIdSchema } from "@/lib/proofs/deployment";
import { hex32Schema } from "@/lib/proofs/hex";
import type { Execute } from "../circuits/types";
import type { JobQueue } from "../store/boss";
import type { Instances, Peer } from "../store/instances";
import type { PaymentRow, PaymentStore } from "../store/payments";
import { type Finished, Job } from "./job";
import { type Checkpoint, InterruptedError, type Work, wasInterrupted } from "./run";
import type { SealedWork } from "./sealed-work";

/** A job as its table holds it. Inputs only encrypted, for processes whose keys are in memory. */
const entrySchema = z.object({
  paymentId: hex32Schema,
  /** Processes that can make the proof. */
  recipients: z.array(z.string()),
  /** The inputs; absent when no other process could decrypt them. */
  sealed: z.string().optional(),
});
type Entry = z.output<typeof entrySchema>;

/** How often a process counts the jobs ahead of its own, and notices that another process took one. */
const WATCH_MS = 1_000;

/** Makes the proof of a job that another process enqueued. */
type Receive = (job: Job, work: Work) => Promise<Finished>;

/** A job of this process that waits for a worker; its witness is in memory. */
class Waiting {
  readonly end: Promise<Finished | undefined>;
  #resolve: (end: Promise<Finished> | undefined) => void = () => undefined;
  #reject: (error: InterruptedError) => void = () => undefined;
  #state: "waiting" | "started" | "left" = "waiting";

  constructor(
    readonly paymentId: Hex,
    /** Resolves when the job has been shown as queued. */
    readonly ready: Promise<void>,
    readonly make: () => Promise<Finished>,
  ) {
    this.end = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // It may be interrupted while it is being enqueued.
    this.end.catch(() => undefined);
  }

  get isOver(): boolean {
    return this.#state !== "waiting";
  }

  /** Does the work, on a worker of this process. @returns undefined when the job has left meanwhile */
  async start(): Promise<Finished | undefined> {
    await this.ready;
    if (this.isOver) return undefined;
    this.#state = "started";
    const made = this.make();
    this.#resolve(made);
    return await made;
  }

  /** Ends the wait without an end: another process took the job, or this one shuts down. Not once it has started. */
  leave(error?: InterruptedError): void {
    if (this.isOver) return;
    this.#state = "left";
    if (error) this.#reject(error);
    else this.#resolve(undefined);
  }
}

export interface QueueDependencies {
  queue: JobQueue;
  instances: Pick<Instances, "me" | "alone" | "peers" | "silenceMs">;
  payments: PaymentStore;
  execute: Execute;
  seal(recipients: readonly Peer[], paymentId: Hex, work: Work): Promise<string>;
  /** @throws Error when it was not sealed for this process and payment */
  unseal(paymentId: Hex, sealed: string): Promise<SealedWork>;
  /** Workers of this process: the number of proofs it makes at once. */
  parallel: number;
  /** Returns the milliseconds until a proof with so many ahead of it would be done. */
  expectedMs(circuit: string, ahead: number): number;
  wait(ms: number): Promise<void>;
  checkpoint: Checkpoint;
}

/**
 * The paid proofs of an installation, first come, first served: one queue with workers in every process. The process
 * that took the payment keeps the witness in memory; any other worker decrypts the inputs and solves them again.
 */
export class ProofQueue {
  /** By their ids in the queue. */
  readonly #waiting = new Map<string, Waiting>();
  #closed = false;

  constructor(readonly deps: QueueDependencies) {}

  /** Starts the workers. */
  async open(receive: Receive): Promise<void> {
    const { queue, parallel } = this.deps;
    await queue.open(parallel, async (id, data) => {
      const entry = entrySchema.parse(data);
      try {
        return await this.#take(id, entry, receive);
      } catch {
        // Unreadable or unsolvable here: the process that waits for it has the inputs, or the client sends them again.
        await this.#release(entry.paymentId, false);
        return false;
      }
    });
  }

  /**
   * Enqueues the job of a settled payment that this process owns, and does the work when a worker here gets it.
   * @param make makes the proof; never throws
   * @returns undefined when another process got the job
   * @throws InterruptedError when this process shuts down first
   */
  async run(job: Job, work: Work, make: () => Promise<Finished>): Promise<Finished | undefined> {
    if (this.#closed) throw new InterruptedError("the prover stops");
    let shown: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => {
      shown = resolve;
    });
    const waiting = new Waiting(job.paymentId, ready, make);
    const id = randomUUID();
    this.#waiting.set(id, waiting);
    try {
      if (!(await this.#enqueue(id, job, work))) return undefined;
      await this.#watch(job, waiting);
      await this.deps.checkpoint("queued");
      shown();
      this.deps.queue.notify();
      void this.#keepWatching(job, waiting);
      return await waiting.end;
    } finally {
      waiting.leave();
      shown();
      this.#waiting.delete(id);
    }
  }

  /** Puts the jobs that dead processes had back in the queue, and frees payments that have no job. */
  async releaseAbandoned(): Promise<void> {
    const { queue, payments, instances } = this.deps;
    for (const { id, owner, queued_at, queue_job } of await payments.unfinished()) {
      const job = queue_job ? await queue.find(queue_job) : undefined;
      if (queued_at) {
        // A worker that has the job and did not take the payment in all this time died in between.
        const isSilent = (job?.heldMs ?? 0) > instances.silenceMs;
        if (queue_job && !job) await payments.unqueue(queue_job);
        if (queue_job && isSilent) await queue.retry(queue_job);
      } else if (owner) {
        await payments.release(hex32Schema.parse(id), owner, job !== undefined);
        if (queue_job && job) await queue.retry(queue_job);
      }
    }
  }

  /**
   * Stops the workers. Jobs that wait stay in the queue, for other processes. Resolves when the workers are idle: a
   * proof that was interrupted goes back to the queue.
   */
  async close(): Promise<void> {
    const { queue, payments, instances } = this.deps;
    this.#closed = true;
    const idle = queue.close();
    for (const waiting of this.#waiting.values()) {
      if (waiting.isOver) continue;
      waiting.leave(new InterruptedError("the prover stops"));
      await payments.release(waiting.paymentId, instances.me, true);
    }
    await idle;
  }

  async #enqueue(id: string, { paymentId }: Job, work: Work): Promise<boolean> {
    const { queue, payments, instances, seal } = this.deps;
    const peers = instances.alone ? [] : await instances.peers();
    const others = peers.some((peer) => peer.id !== instances.me);
    const entry: Entry = {
      paymentId,
      recipients: others ? peers.map((peer) => peer.id) : [instances.me],
      sealed: others ? await seal(peers, paymentId, work) : undefined,
    };
    return await payments.enqueue(paymentId, instances.me, id, (trx) => queue.send(trx, id, entry));
  }

  /** @returns whether the job goes back to the queue, for another worker */
  async #take(id: string, entry: Entry, receive: Receive): Promise<boolean> {
    if (this.#closed) return true;
    const { payments, instances } = this.deps;
    const { recipients } = entry;
    const waiting = this.#waiting.get(id);
    if (!waiting && !recipients.includes(instances.me)) {
      if ((await instances.peers()).some((peer) => recipients.includes(peer.id))) return true;
      // Nobody can decrypt it any more.
      await payments.unqueue(id);
      return false;
    }
    const row = await payments.take(id, instances.me);
    if (!row) return false;
    const end = waiting ? await waiting.start() : await receive(...(await this.#open(row, entry)));
    if (end && !wasInterrupted(end)) return false;
    await this.#release(entry.paymentId, true);
    return true;
  }

  /**
   * Gives a payment up. Waits for a database that is away: a living owner without a job would keep the payment from
   * other processes and from becoming a credit. A process that stops leaves that to the others.
   */
  async #release(paymentId: Hex, queued: boolean): Promise<void> {
    const { payments, instances, wait } = this.deps;
    for (;;) {
      try {
        return await payments.release(paymentId, instances.me, queued);
      } catch (error) {
        if (this.#closed) throw error;
      }
      await wait(WATCH_MS);
    }
  }

  async #open(row: PaymentRow, { paymentId, sealed = "" }: Entry): Promise<[Job, Work]> {
    const { unseal, execute, payments } = this.deps;
    const circuit = circuitIdSchema.parse(row.circuit);
    const { inputs, publicInputs, startedAt, paymentMs } = await unseal(paymentId, sealed);
    const begun = performance.now();
    const witness = await execute(circuit, inputs);
    const work: Work = {
      row,
      settle: () => Promise.reject(new Error("it is settled")),
      prepared: { inputs, witness, publicInputs },
      startedAt,
      paymentMs,
      witnessMs: performance.now() - begun,
    };
    return [new Job(paymentId, circuit, await payments.tokenOf(row)), work];
  }

  async #keepWatching(job: Job, waiting: Waiting): Promise<void> {
    for (;;) {
      await this.deps.wait(WATCH_MS);
      if (waiting.isOver) return;
      await this.#watch(job, waiting).catch(() => undefined);
    }
  }

  /** Shows a waiting job how many are ahead of it, and lets go of one that another process took. */
  async #watch(job: Job, waiting: Waiting): Promise<void> {
    const { payments, instances, expectedMs } = this.deps;
    const row = (await payments.find(job.paymentId))?.row;
    if (!row?.queued_at) {
      if (row?.owner !== instances.me) waiting.leave();
      return;
    }
    const position = await payments.ahead(row);
    const { status, position: shown } = job.view();
    if (waiting.isOver || (status === "queued" && shown === position)) return;
    job.step("queued", { position, expectedMs: expectedMs(job.circuit, position) });
  }
}
