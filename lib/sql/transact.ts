import type { Kysely, Transaction } from "kysely";

/** SQLSTATE of a transaction that PostgreSQL ended because it and others waited for each other. */
const DEADLOCK = "40P01";
const MAX_ATTEMPTS = 4;

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === DEADLOCK;
}

/**
 * Runs a transaction, and again where PostgreSQL ended it to resolve a deadlock. Locks are taken in one order, but a lock
 * on an old version of a row can wait for one on its newest version and the other way round. What was ended has changed
 * nothing, so `work` must only change what it is given: it may run several times.
 */
export async function transact<D, T>(db: Kysely<D>, work: (trx: Transaction<D>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isDeadlock(error)) throw error;
    }
  }
}
