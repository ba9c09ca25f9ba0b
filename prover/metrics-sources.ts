import type { Kysely } from "kysely";
import type { Backend } from "./backend";
import type { Places } from "./jobs/places";
import type { MetricSources } from "./metrics";
import type { AuthorizedPayment } from "./payment/payment";
import type { Settler, Settlers } from "./payment/settler";
import type { ProverSchema } from "./store/schema";

/** Where a running prover's metrics come from. */
export function metricSources({
  db,
  backend,
  proving,
  settling,
  settlers,
}: {
  db: Kysely<ProverSchema>;
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
        .select(["network", ({ fn }) => fn.countAll().as("count")])
        .where("state", "in", ["accepted", "settling"])
        .groupBy("network")
        .execute();
      return rows.map(({ network, count }) => ({ network, count: Number(count) }));
    },
    async revertedSettlements() {
      const rows = await db
        .selectFrom("outbox")
        .select(["chain_id", ({ fn }) => fn.countAll().as("count")])
        .where("reverted_at", "is not", null)
        .groupBy("chain_id")
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
