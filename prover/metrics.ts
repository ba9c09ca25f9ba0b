import { sql } from "kysely";
import { Meters, RequestMeter, type Row } from "@/lib/metrics";
import type { CircuitId } from "@/lib/proofs/deployment";
import { noTracing, type Tracing } from "@/lib/tracing";
import type { Backend } from "./backend";
import type { Slots } from "./jobs/slots";
import type { Observer, Stage } from "./observer";
import type { GasLeft } from "./payment/gas";
import type { Settlers } from "./payment/settler";
import type { Store } from "./store/index";

/** What is looked up when a client reads the metrics. */
interface MetricSources {
  store: Pick<Store, "payments" | "transfers" | "connections">;
  backend: Pick<Backend, "parallel" | "running" | "restarts">;
  /** Slots of settled payments whose proofs are still to be made. */
  proving: Slots;
  /** Slots of payments being settled. */
  settling: Slots;
  settlers: Settlers;
}

/** A transfer that is paid for by X-Payment-TX is there before its request. */
const matchedAfterMs = 3_600_000;
/** Settlements older than ten minutes wait for something that does not come by itself. */
const ageOf = sql<
  "new" | "old"
>`case when created_at < now() - interval '10 minutes' then 'old' else 'new' end`;

/** Seconds: from a quick witness to a proof that waits behind many. */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];

/** Counts what the prover does, for Prometheus. Contains names and numbers only. */
export class Metrics implements Observer {
  readonly meters = new Meters();
  readonly #requests = new RequestMeter(this.meters);
  readonly #stages = this.meters.histogram(
    "prover_stage_seconds",
    "Time of a step of a job",
    ["circuit", "stage"],
    buckets,
  );
  readonly #settled = this.meters.counter("prover_settlements_total", "Payments settled", [
    "settlement",
    "network",
  ]);
  readonly #foreign = this.meters.counter(
    "prover_settlements_foreign_total",
    "Payments settled by an account that is not ours",
    ["settlement", "network"],
  );
  readonly #ended = this.meters.counter("prover_jobs_total", "Jobs ended", ["circuit", "end"]);
  readonly #refused = this.meters.counter("prover_refusals_total", "Requests refused", ["code", "reason"]);

  constructor(readonly tracing: Tracing = noTracing) {}

  stage(circuit: CircuitId, stage: Stage, milliseconds: number): void {
    this.tracing.step(stage, { "parley.circuit": circuit }, milliseconds);
    this.#stages.observe({ circuit, stage }, milliseconds / 1000);
  }

  settled(settlement: string, network: string): void {
    this.#settled.inc({ settlement, network });
  }

  foreign(settlement: string, network: string): void {
    this.#foreign.inc({ settlement, network });
  }

  ended(circuit: CircuitId, end: "done" | "failed"): void {
    this.#ended.inc({ circuit, end });
  }

  refused(code: string, reason: string | undefined): void {
    this.#refused.inc({ code, reason: reason ?? "" });
  }

  request(operation: string, status: number, ms: number): void {
    this.#requests.observe(operation, status, ms);
  }

  /** Adds gauges that are looked up at each reading. */
  watch({ store, backend, proving, settling, settlers }: MetricSources): void {
    const { db } = store.payments;
    this.meters.pool(store.connections);
    this.meters.gauge("prover_queue_jobs", "Paid proofs to make, running and waiting", () => proving.load);
    this.meters.gauge(
      "prover_queue_limit",
      "Paid proofs from which on no new work is taken",
      () => proving.limit,
    );
    this.meters.gauge("prover_settling_jobs", "Payments being settled", () => settling.load);
    this.meters.gauge("prover_settling_limit", "Payments that may be settled at once", () => settling.limit);
    this.meters.gauge("prover_proofs_running", "Proofs being made now", () => backend.running());
    this.meters.gauge("prover_proofs_parallel", "Proofs made at once", () => backend.parallel);
    this.meters.gauge("prover_bb_restarts", "bb processes replaced since the start", () =>
      backend.restarts(),
    );

    this.meters.table(
      "prover_settlements_open",
      "Payments whose settlement is under way or unclear, of all processes",
      ["network", "age"],
      async () => {
        const rows = await db
          .selectFrom("payment")
          .select(["network", ageOf.as("age"), ({ fn }) => fn.countAll().as("count")])
          .where("state", "in", ["accepted", "settling"])
          .groupBy(["network", ageOf])
          .execute();
        return rows.map(({ count, ...labels }) => [labels, Number(count)]);
      },
    );
    this.meters.table(
      "prover_settlements_reverted",
      "Settlement transactions of our own key that failed on chain, of all processes",
      ["network"],
      async () => {
        const rows = await db
          .selectFrom("settlement_transaction as s")
          .innerJoin("prover_chain.chain_transactions as t", "t.id", "s.transaction_id")
          .select(["t.chain_id", ({ fn }) => fn.countAll().as("count")])
          .where("s.reverted_at", "is not", null)
          .groupBy("t.chain_id")
          .execute();
        return rows.map(({ chain_id, count }) => [{ network: `eip155:${chain_id}` }, Number(count)]);
      },
    );
    const accounts = [
      { account: "settlement", settler: settlers.payee },
      { account: "facilitator", settler: settlers.facilitator },
    ];
    const gas = (name: string, help: string, read: (left: GasLeft) => number) =>
      this.meters.table(name, help, ["account", "network"], async () => {
        const rows = accounts.map(async ({ account, settler }) =>
          ((await settler?.gas?.()) ?? []).map(
            (left): Row<"account" | "network"> => [{ account, network: left.network }, read(left)],
          ),
        );
        return (await Promise.all(rows)).flat();
      });
    gas("prover_gas_wei", "Balance of an account that pays for settlements", ({ wei }) => Number(wei));
    gas("prover_gas_settlements", "Settlements that balance pays for", ({ settlements }) => settlements);
    const unmatched = (name: string, help: string, value: "count" | "amount") =>
      this.meters.table(name, help, ["chain", "asset"], async () => {
        const rows = await store.transfers.unmatched(new Date(Date.now() - matchedAfterMs));
        return rows.map(({ chainId, asset, ...found }) => [{ chain: String(chainId), asset }, found[value]]);
      });
    unmatched("prover_transfers_unmatched", "Transfers to us that no payment answers after an hour", "count");
    unmatched("prover_transfers_unmatched_atomic", "What these amount to, in atomic units", "amount");
    const credits = (name: string, help: string, value: "count" | "amount") =>
      this.meters.table(name, help, ["network", "asset"], async () => {
        const rows = await db
          .selectFrom("credit")
          .select(["network", "asset", ({ fn }) => fn.countAll().as("count")])
          .select(({ fn, cast }) => fn.sum(cast("amount", "numeric")).as("amount"))
          .where("redeemed_at", "is", null)
          .groupBy(["network", "asset"])
          .execute();
        return rows.map(({ network, asset, ...owed }) => [{ network, asset }, Number(owed[value])]);
      });
    credits("prover_credits_owed", "Settled payments without a proof, owed to their payers", "count");
    credits("prover_credits_owed_atomic", "What these amount to, in atomic units of the token", "amount");
  }
}
