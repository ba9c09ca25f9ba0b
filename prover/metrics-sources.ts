import { type Kysely, sql } from "kysely";
import type { Backend } from "./backend";
import type { Places } from "./jobs/places";
import type { MetricSources } from "./metrics";
import type { AuthorizedPayment } from "./payment/payment";
import type { Settler, Settlers } from "./payment/settler";
import type { ProverSchema } from "./store/schema";
import type { Transfers } from "./store/transfers";

/** A transfer that is paid for by X-Payment-TX is there before its request. */
const matchedAfterMs = 3_600_000;
/** Settlements older than ten minutes wait for something that does not come by itself. */
const ageOf = sql<
  "new" | "old"
>`case when created_at < now() - interval '10 minutes' then 'old' else 'new' end`;

/** Where a running prover's metrics come from. */
export function metricSources({
  db,
  transfers,
  backend,
  proving,
  settling,
  settlers,
}: {
  db: Kysely<ProverSchema>;
  transfers: Transfers;
  backend: Backend;
  proving: Pick<Places, "load" | "limit">;
  settling: Pick<Places, "load" | "limit">;
  settlers: Settlers;
}): MetricSources {
  return {
    places: () => ({ taken: proving.load, limit: proving.limit }),
    settlements: () => ({ taken: settling.load, limit: settling.limit }),
    proofs: () => ({ running: backend.running(), parallel: backend.parallel }),
    bbRestarts: () => backend.restarts(),
    async openSettlements() {
      const rows = await db
        .selectFrom("payment")
        .select(["network", ageOf.as("age"), ({ fn }) => fn.countAll().as("count")])
        .where("state", "in", ["accepted", "settling"])
        .groupBy(["network", ageOf])
        .execute();
      return rows.map(({ network, age, count }) => ({ network, age, count: Number(count) }));
    },
    async revertedSettlements() {
      const rows = await db
        .selectFrom("settlement_transaction as s")
        .innerJoin("prover_chain.chain_transactions as t", "t.id", "s.transaction_id")
        .select(["t.chain_id", ({ fn }) => fn.countAll().as("count")])
        .where("s.reverted_at", "is not", null)
        .groupBy("t.chain_id")
        .execute();
      return rows.map(({ chain_id, count }) => ({ network: `eip155:${chain_id}`, count: Number(count) }));
    },
    async gas() {
      const of = async (
        account: "settlement" | "facilitator",
        settler: Settler<AuthorizedPayment> | undefined,
      ) => ((await settler?.gas?.()) ?? []).map((left) => ({ ...left, account }));
      const left = [of("settlement", settlers.payee), of("facilitator", settlers.facilitator)];
      return (await Promise.all(left)).flat();
    },
    unmatched: () => transfers.unmatched(new Date(Date.now() - matchedAfterMs)),
    async credits() {
      const rows = await db
        .selectFrom("credit")
        .select(["network", "asset", ({ fn }) => fn.countAll().as("count")])
        .select(({ fn, cast }) => fn.sum(cast("amount", "numeric")).as("amount"))
        .where("redeemed_at", "is", null)
        .groupBy(["network", "asset"])
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count), amount: Number(row.amount) }));
    },
  };
}
