import { type Kysely, sql } from "kysely";
import type { Address } from "viem";
import type { PaymentRow } from "./payments";
import type { ProverSchema } from "./schema";

/** What became of the payments that settled on one day. */
export interface DayOfPromises {
  /** UTC, as 2026-11-30. */
  day: string;
  settled: number;
  /** Proofs that were made in time. */
  kept: number;
  /** Proofs that were late, and payments without one whose time is up: each is or was a credit. */
  missed: number;
  /** Of those missed: amounts paid back. */
  refunded: number;
}

/** Reads payments for their payers, and counts them for everyone. */
export class Purchases {
  constructor(readonly db: Kysely<ProverSchema>) {}

  /**
   * Returns a payer's settled payments, newest first: those since a moment, and all that are still owed a proof. At most
   * 100.
   */
  async of(payer: Address, since: Date): Promise<PaymentRow[]> {
    return await this.db
      .selectFrom("payment")
      .selectAll()
      .where("payer", "=", payer)
      .where("settled_at", "is not", null)
      .where((eb) => eb.or([eb("settled_at", ">=", since), eb("state", "in", ["settled", "credited"])]))
      .orderBy("settled_at", "desc")
      .orderBy("id")
      .limit(100)
      .execute();
  }

  /** Counts kept and missed promises by the day of settlement, newest first. @param deliveryMs what is promised now */
  async promises(since: Date, deliveryMs: number): Promise<DayOfPromises[]> {
    const seconds = deliveryMs / 1000;
    const inTime = sql<boolean>`proven_at is not null and proven_at <= settled_at + make_interval(secs => ${seconds})`;
    const isOver = sql<boolean>`settled_at + make_interval(secs => ${seconds}) < now() or state in ('credited', 'refunded')`;
    const day = sql<string>`to_char(settled_at at time zone 'UTC', 'YYYY-MM-DD')`;
    const rows = await this.db
      .selectFrom("payment")
      .select([
        day.as("day"),
        sql<number>`count(*)::int`.as("settled"),
        sql<number>`(count(*) filter (where ${inTime}))::int`.as("kept"),
        sql<number>`(count(*) filter (where not (${inTime}) and (${isOver})))::int`.as("missed"),
        sql<number>`(count(*) filter (where state = 'refunded'))::int`.as("refunded"),
      ])
      .where("settled_at", ">=", since)
      .groupBy(day)
      .orderBy(day, "desc")
      .execute();
    return rows;
  }
}
