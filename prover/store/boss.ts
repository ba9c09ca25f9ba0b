import type { PGlite } from "@electric-sql/pglite";
import { CompiledQuery, type Kysely } from "kysely";
import PgBoss from "pg-boss";
import type { ProverSchema } from "./schema";

/** How pg-boss reaches a database: by text and values. */
export interface SqlRunner {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Runs pg-boss' statements on a Kysely connection, or inside a transaction of ours. */
export function sqlRunner(db: Kysely<ProverSchema>, pglite?: PGlite): SqlRunner {
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

const schema = "pgboss";

/** Removes a queue with all that lies in it; pg-boss itself refuses one with jobs that somebody had begun. */
export async function removeQueue(boss: PgBoss, runner: SqlRunner, name: string): Promise<void> {
  await runner.executeSql(`delete from ${schema}.job where name = $1`, [name]);
  await boss.deleteQueue(name);
}

/** Seconds that what is left of a job may stay in its queue. Inputs that were handed over are sealed all the same. */
const keepSeconds = 3600;

/**
 * pg-boss on our own database. Its tables are made or brought up to date at once.
 * @param onError told of failures of its background work; messages are for the operator only
 */
export async function openBoss(runner: SqlRunner, onError: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    db: runner,
    schema,
    schedule: false,
    supervise: true,
    maintenanceIntervalSeconds: 300,
    archiveCompletedAfterSeconds: 60,
    archiveFailedAfterSeconds: 60,
    deleteAfterSeconds: keepSeconds,
  });
  boss.on("error", onError);
  await boss.start();
  return boss;
}
