import PQueue from "p-queue";
import type PgBoss from "pg-boss";
import type { Hex } from "viem";
import { z } from "zod";
import { hex32Schema } from "@/lib/proofs/hex";
import type { SqlRunner } from "../store/boss";
import type { Store } from "../store/index";

/** What lies in a queue: which payment, and what another process sealed for this one. Never inputs in clear. */
const entrySchema = z.object({ paymentId: hex32Schema, sealed: z.string().optional() });

/** A paid proof that another process passed on. */
export interface HandedOver {
  paymentId: Hex;
  /** Its inputs, for this process' key. */
  sealed: string;
}

const pollSeconds = 0.5;
/** Longest time a proof may take, the wait for its turn included; then pg-boss forgets it and its owner decides. */
const expireSeconds = 3600;

/**
 * The proofs this process makes, in order, on a pg-boss queue of its own. Its own jobs carry nothing but their
 * payment's id; those of other processes come with sealed inputs.
 */
export class ProofLine {
  readonly #queue: string;
  readonly #turns: PQueue;
  /** Work of this process that waits for pg-boss to give it its turn. */
  readonly #own = new Map<Hex, () => Promise<void>>();
  readonly #workers: string[] = [];
  #closed = false;

  readonly boss: PgBoss;

  /** @param parallel proofs made at once */
  constructor(
    readonly queues: Pick<Store, "boss" | "removeQueue">,
    me: string,
    readonly parallel: number,
  ) {
    this.boss = queues.boss;
    this.#queue = queueOf(me);
    this.#turns = new PQueue({ concurrency: parallel });
  }

  /** Makes this process' queue, if it is not there: it was removed when the process was silent for very long. */
  async ensure(): Promise<void> {
    const name = this.#queue;
    await this.boss.createQueue(name, {
      name,
      policy: "standard",
      retryLimit: 0,
      expireInSeconds: expireSeconds,
    });
  }

  /**
   * Removes the queues of processes that are no more, and with them what was sealed for keys that are gone.
   * @param known processes whose queues stay
   */
  async removeAbandoned(known: readonly string[]): Promise<void> {
    const kept = new Set(known.map(queueOf));
    for (const { name } of await this.boss.getQueues()) {
      if (name.startsWith(prefix) && !kept.has(name)) await this.queues.removeQueue(name);
    }
  }

  /** Begins to take jobs. @param take does what another process passed on; waits its turn with `turn`; never throws */
  async open(take: (handed: HandedOver) => Promise<void>): Promise<void> {
    await this.ensure();
    const handle = async ([job]: PgBoss.Job<unknown>[]) => {
      if (!job) return;
      try {
        const { paymentId, sealed } = entrySchema.parse(job.data);
        const own = this.#own.get(paymentId);
        if (own) await own();
        else if (sealed && !this.#closed) await take({ paymentId, sealed });
      } finally {
        // Not even sealed inputs outlive their job.
        await this.boss.deleteJob(this.#queue, job.id).catch(() => undefined);
      }
    };
    const options = { batchSize: 1, pollingIntervalSeconds: pollSeconds };
    // One more than are proved at once: the next witness is there when its turn comes.
    for (let i = 0; i <= this.parallel; i += 1) {
      this.#workers.push(await this.boss.work(this.#queue, options, handle));
    }
  }

  /**
   * Waits in line and then does the work.
   * @throws what `work` throws
   */
  async run<T>(paymentId: Hex, work: () => Promise<T>): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      this.#own.set(paymentId, async () => {
        this.#own.delete(paymentId);
        await this.turn(work).then(resolve, reject);
      });
      this.#send(paymentId).catch((error: unknown) => {
        this.#own.delete(paymentId);
        reject(error);
      });
    });
  }

  /** Does work when a proof may be made. */
  async turn<T>(work: () => Promise<T>): Promise<T> {
    return await this.#turns.add(work, { throwOnTimeout: true });
  }

  /** Puts a job into another process' line. @param runner the transaction in which the payment changes its owner */
  async pass(runner: SqlRunner, to: string, entry: HandedOver): Promise<void> {
    await this.boss.send(queueOf(to), entry, { db: runner, retryLimit: 0, retentionHours: 1 });
  }

  /** Takes no more; what runs goes on. Work that waits is done at once, so that it can find out that we stop. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.boss.offWork(this.#queue);
    await Promise.all([...this.#own.values()].map((start) => start().catch(() => undefined)));
    await this.#turns.onIdle();
  }

  /** Removes the queue; what another process put there in the last moment is taken back by that process. */
  async remove(): Promise<void> {
    await this.queues.removeQueue(this.#queue).catch(() => undefined);
  }

  async #send(paymentId: Hex): Promise<void> {
    if (this.#closed) throw new Error("the line is closed");
    await this.boss.send(this.#queue, { paymentId }, { retryLimit: 0 });
    for (const worker of this.#workers) this.boss.notifyWorker(worker);
  }
}

const prefix = "prove-";

/** The queue of a process. */
function queueOf(instance: string): string {
  return `${prefix}${instance}`;
}
