import { type Kysely, type Selectable, sql } from "kysely";
import type { PaymentTable, ProverSchema } from "./schema";

/** What a payment takes, and what it takes it from. */
export interface Claim
  extends Pick<Selectable<PaymentTable>, "network" | "asset" | "payer" | "amount" | "settlement"> {
  /** The payer's, when it was last read, in atomic units; null when the money has moved already. */
  balance: bigint | null;
}

/** Payments of one payer that may be on their way at once. */
export const mostOpenPayments = 4;

/**
 * Whether a payer may have one more payment on its way. Those that can still be settled count: all of them towards
 * their number, and those that take from the same balance towards what is left of it.
 */
export async function mayOpen(db: Kysely<ProverSchema>, claim: Claim): Promise<boolean> {
  const { balance, payer, amount, network, asset, settlement } = claim;
  if (balance === null) return true;
  const { count, taken } = await db
    .selectFrom("payment")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .select(({ fn, cast, and, eb }) =>
      fn
        .sum<string | null>(cast("amount", "numeric"))
        .filterWhere(
          and([
            eb("network", "=", network),
            eb("asset", "=", asset),
            // A deposit with the gateway is another balance than the wallet's.
            eb("settlement", settlement === "gateway" ? "=" : "!=", "gateway"),
          ]),
        )
        .as("taken"),
    )
    .where("payer", "=", payer)
    .where("state", "in", ["accepted", "settling"])
    .where(stillValid)
    .executeTakeFirstOrThrow();
  return Number(count) < mostOpenPayments && BigInt(taken ?? 0) + BigInt(amount) <= balance;
}

/** An authorization that may still be used: a minute past its end no clock of a chain or gateway says so. */
const stillValid = sql<boolean>`valid_before is not null
  and cast(valid_before as numeric) > extract(epoch from now()) - 60`;
