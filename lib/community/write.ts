import type { Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import type { Signal } from "@/lib/live";
import { type Appended, addUp, appendedNothing } from "./counters";

/** What follows a write once it is committed. Nothing follows a failed write. */
export interface Effects {
  publish(signal: Signal): void;
  /** Counters to add up. */
  readonly appended: Appended;
}

/** Runs a transaction. After its commit, adds up the counters it appended to, and publishes its changes. */
export async function write<T>(
  { db, live }: Pick<Context, "db" | "live">,
  work: (trx: Trx, effects: Effects) => Promise<T>,
): Promise<T> {
  const signals: Signal[] = [];
  const appended = appendedNothing();
  const result = await db
    .transaction()
    .execute((trx) => work(trx, { appended, publish: (signal) => void signals.push(signal) }));
  await addUp(db, appended);
  for (const signal of signals) live.publish(signal);
  return result;
}
