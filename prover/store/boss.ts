import type { PGlite } from "@electric-sql/pglite";
import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import PgBoss from "pg-boss";
import type { ProverSchema } from "./schema";

/** How pg-boss reaches a database: by text and values. */
interface SqlRunner {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Runs pg-boss' statements on a Kysely connection, or inside a transaction of ours. */
function sqlRunner(db: Kysely<ProverSchema>, pglite?: PGlite): SqlRunner {
  return {
    async executeSql(text, values = []) {
      // Scripts of several statements carry no values. PGlite takes those by another call; it runs a script alone, so
      // that it never comes in the middle of a transaction.
      if (pglite && values.length === 0) {
        const results = await pglite.exec(text);
        return { rows: results.at(-1)?.rows ?? [] };
      }
      return await db.executeQuery(CompiledQuery.raw(text, values));
    },
  };
}

const QUEUE = "prove";
const JOB_OPTIONS = {
  // A job that its worker cannot do goes back for another one, as often as that takes.
  retryLimit: 1_000_000,
  retryDelay: 1,
  expireInSeconds: 3600,
  retentionHours: 24,
};

/** Jobs that the processes of one database share, first come, first served. */
export interface JobQueue {
  /**
   * Starts workers.
   * @param handle does a job; returns whether it goes back to the queue, for another worker, after a second
   */
  open(workers: number, handle: (id: string, data: unknown) => Promise<boolean>): Promise<void>;
  /** Adds a job. @param id a UUID */
  send(trx: Transaction<ProverSchema>, id: string, data: object): Promise<void>;
  /** Makes the workers of this process look for jobs now. */
  notify(): void;
  /** Finds a job. @returns when a worker got it, if one did; undefined when there is no such job */
  find(id: string): Promise<{ startedAt?: Date } | undefined>;
  /** Puts a job back whose worker is dead. */
  retry(id: string): Promise<void>;
  /** Stops the workers. Resolves when their jobs have ended. */
  close(): Promise<void>;
}

/** A queue on pg-boss, in our own database. */
export class BossQueue implements JobQueue {
  readonly #workers: string[] = [];
  readonly #active = new Set<Promise<void>>();

  constructor(readonly boss: PgBoss) {}

  async open(workers: number, handle: (id: string, data: unknown) => Promise<boolean>): Promise<void> {
    const { boss } = this;
    await boss.createQueue(QUEUE, { name: QUEUE, policy: "standard" });
    const work = async (job: PgBoss.Job<unknown>) => {
      // pg-boss would keep a finished job, with its inputs, for a while: not even encrypted ones outlive their job.
      if (await handle(job.id, job.data)) await boss.fail(QUEUE, job.id);
      else await boss.deleteJob(QUEUE, job.id);
      // The next one is taken at once, not at the next poll.
      this.notify();
    };
    for (let i = 0; i < workers; i += 1) {
      const options = { batchSize: 1, pollingIntervalSeconds: 0.5 };
      const worker = await boss.work(QUEUE, options, async ([job]: PgBoss.Job<unknown>[]) => {
        if (!job) return;
        const done = work(job);
        this.#active.add(done);
        await done.finally(() => this.#active.delete(done));
      });
      this.#workers.push(worker);
    }
  }

  async send(trx: Transaction<ProverSchema>, id: string, data: object): Promise<void> {
    await this.boss.send(QUEUE, data, { ...JOB_OPTIONS, id, db: sqlRunner(trx) });
  }

  notify(): void {
    for (const worker of this.#workers) this.boss.notifyWorker(worker);
  }

  async find(id: string): Promise<{ startedAt?: Date } | undefined> {
    const job = await this.boss.getJobById(QUEUE, id);
    if (!job) return undefined;
    return job.state === "active" ? { startedAt: job.startedOn } : {};
  }

  async retry(id: string): Promise<void> {
    await this.boss.fail(QUEUE, id);
  }

  async close(): Promise<void> {
    await this.boss.offWork(QUEUE);
    await Promise.allSettled(this.#active);
  }
}

/**
 * Starts pg-boss on our own database and creates or updates its tables.
 * @param onError receives failures of its background work; messages are for the operator only
 */
export async function openBoss(
  db: Kysely<ProverSchema>,
  pglite: PGlite | undefined,
  onError: (error: Error) => void,
): Promise<PgBoss> {
  const boss = new PgBoss({
    db: sqlRunner(db, pglite),
    schedule: false,
    supervise: true,
    maintenanceIntervalSeconds: 300,
    archiveCompletedAfterSeconds: 60,
    archiveFailedAfterSeconds: 60,
    deleteAfterSeconds: 3600,
  });
  boss.on("error", onError);
  await boss.start();
  return boss;
}
