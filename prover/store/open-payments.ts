import { type Kysely, type Selectable, sql } from "kysely";
import type { PaymentTable, ProverSchema } from "./schema";

/** A payment, and the balance it is taken from. */
export interface Claim
  extends Pick<Selectable<PaymentTable>, "network" | "asset" | "payer" | "amount" | "settlement"> {
  /** The payer's, as last read, in atomic units; null if the money has moved already. */
  balance: bigint | null;
}

/** How many payments of one payer may be pending at once. */
export const mostOpenPayments = 4;

/**
 * Whether a payer may have one more pending payment. Payments that can still settle count: all of them toward their
 * number, and those from the same balance toward what is left of it.
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
            // A deposit with the gateway is not the wallet's balance.
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

/** An authorization that may still be used: allows a minute for the clocks of chains and gateways. */
const stillValid = sql<boolean>`valid_before is not null
  and cast(valid_before as numeric) > extract(epoch from now()) - 60`;
