import { setTimeout as pause } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import { CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import PgBoss from "pg-boss";
import { exclusively } from "@/lib/sql/index";
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
const POLL_MS = 500;
const JOB_OPTIONS = {
  // A job that its worker cannot do goes back for another one, as often as that takes.
  retryLimit: 1_000_000,
  retryDelay: 1,
  expireInSeconds: 3600,
  retentionHours: 24,
};

/** Does a job. @returns whether it goes back to the queue, for another worker, after a second */
export type Handle = (id: string, data: unknown) => Promise<boolean>;

/** Jobs that the processes of one database share, first come, first served. */
export interface JobQueue {
  /** Starts workers. */
  open(workers: number, handle: Handle): Promise<void>;
  /** Adds a job. @param id a UUID */
  send(trx: Transaction<ProverSchema>, id: string, data: object): Promise<void>;
  /** Makes the workers of this process look for jobs now. */
  notify(): void;
  /** Finds a job. @returns for how long a worker has had it, if one does; undefined when there is no such job */
  find(id: string): Promise<{ heldMs?: number } | undefined>;
  /** Puts a job back whose worker is dead. */
  retry(id: string): Promise<void>;
  /** Stops the workers. Resolves when their jobs have ended. */
  close(): Promise<void>;
}

/**
 * A queue on pg-boss, in our own database. It fetches for itself: pg-boss' own workers mark a job as completed after it
 * was put back, which could hit the next worker that has it.
 */
export class BossQueue implements JobQueue {
  readonly #workers: Promise<void>[] = [];
  #wake = new AbortController();
  #closed = false;

  /** @param onError receives failures to reach the database; the next poll tries again */
  constructor(
    readonly boss: PgBoss,
    readonly db: Kysely<ProverSchema>,
    readonly onError: (error: Error) => void,
  ) {}

  async open(workers: number, handle: Handle): Promise<void> {
    await this.boss.createQueue(QUEUE, { name: QUEUE, policy: "standard" });
    for (let i = 0; i < workers; i += 1) this.#workers.push(this.#work(handle));
  }

  async send(trx: Transaction<ProverSchema>, id: string, data: object): Promise<void> {
    await this.boss.send(QUEUE, data, { ...JOB_OPTIONS, id, db: sqlRunner(trx) });
  }

  notify(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  async find(id: string): Promise<{ heldMs?: number } | undefined> {
    const job = await this.boss.getJobById(QUEUE, id);
    if (job?.state !== "active") return job ? {} : undefined;
    // The database's clock wrote `startedOn`.
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(this.db);
    return { heldMs: rows[0] && rows[0].now.getTime() - job.startedOn.getTime() };
  }

  async retry(id: string): Promise<void> {
    await this.boss.fail(QUEUE, id);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.notify();
    await Promise.all(this.#workers);
  }

  async #work(handle: Handle): Promise<void> {
    while (!this.#closed) {
      // Before the look into the queue: a notification during it is not missed.
      const { signal } = this.#wake;
      const worked = await this.#next(handle).catch((error: unknown) => {
        this.onError(error instanceof Error ? error : new Error("unknown"));
        return false;
      });
      if (!worked) await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns whether there was a job */
  async #next(handle: Handle): Promise<boolean> {
    const [job] = await this.boss.fetch<unknown>(QUEUE, { batchSize: 1 });
    if (!job) return false;
    // A finished job is deleted: not even encrypted inputs outlive it.
    if (await handle(job.id, job.data)) await this.retry(job.id);
    else await this.boss.deleteJob(QUEUE, job.id);
    return true;
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
  const { rows } = await sql<{ installed: boolean }>`
    select to_regclass('pgboss.version') is not null as installed`.execute(db);
  // Two first starts at once would both create the tables, and one of them fail. An embedded database has one process.
  if (pglite || rows[0]?.installed) await boss.start();
  else await exclusively(db, () => boss.start());
  return boss;
}
