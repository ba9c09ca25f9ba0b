import type { Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import type { Signal } from "@/lib/live";

/** What a write publishes once it is committed. A failed write publishes nothing. */
export interface Effects {
  publish(signal: Signal): void;
}

/** Runs a transaction and publishes its changes after the commit. */
export async function write<T>(
  { db, live }: Pick<Context, "db" | "live">,
  work: (trx: Trx, effects: Effects) => Promise<T>,
): Promise<T> {
  const signals: Signal[] = [];
  const result = await db
    .transaction()
    .execute((trx) => work(trx, { publish: (signal) => void signals.push(signal) }));
  for (const signal of signals) live.publish(signal);
  return result;
}
