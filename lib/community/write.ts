import type { Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import type { Signal } from "@/lib/live";
import { transact } from "@/lib/sql/transact";
import { type Appended, addUp, appendedNothing } from "./counters";

/** What follows a write once it is committed. Nothing follows a failed write. */
export interface Effects {
  publish(signal: Signal): void;
  /** Counters to add up. */
  readonly appended: Appended;
}

/**
 * Runs a transaction; `work` runs again after a deadlock (`transact`). After the commit, adds up the counters it appended
 * to, and publishes its changes.
 */
export async function write<T>(
  { db, live }: Pick<Context, "db" | "live">,
  work: (trx: Trx, effects: Effects) => Promise<T>,
): Promise<T> {
  const { result, signals, appended } = await transact(db, async (trx) => {
    const signals: Signal[] = [];
    const appended = appendedNothing();
    const effects = { appended, publish: (signal: Signal) => void signals.push(signal) };
    return { result: await work(trx, effects), signals, appended };
  });
  await addUp(db, appended);
  for (const signal of signals) live.publish(signal);
  return result;
}
