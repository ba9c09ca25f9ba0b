import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { CircuitId } from "@/lib/proofs/deployment";
import type { Observer, Stage } from "./observer";
import type { GasLeft } from "./payment/gas";

/** What is looked up when a client reads the metrics. */
export interface MetricSources {
  /** Settled payments whose proofs this process has to make, and the number at which it takes no new work. */
  places(): { taken: number; limit: number };
  /** Payments this process is settling, and how many it settles at once. */
  settlements(): { taken: number; limit: number };
  /** Proofs being made in this process, and how many it makes at once. */
  proofs(): { running: number; parallel: number };
  /** How often a bb process was replaced. */
  bbRestarts(): number;
  /** Payments whose settlement is pending or unclear, by network and age; of all processes. */
  openSettlements(): Promise<{ network: string; age: "new" | "old"; count: number }[]>;
  /** Transfers to us without a payment, by chain and token; amounts in atomic units. */
  unmatched(): Promise<{ chainId: number; asset: string; count: number; amount: number }[]>;
  /** Settlement transactions of our own key that failed on chain, by chain; of all processes. */
  revertedSettlements(): Promise<{ network: string; count: number }[]>;
  /** What the accounts that pay for settlements have left. */
  gas(): Promise<(GasLeft & { account: "settlement" | "facilitator" })[]>;
  /** Credits owed to payers, by network and token; amounts in atomic units; of all processes. */
  credits(): Promise<{ network: string; asset: string; count: number; amount: number }[]>;
}

/** Seconds: from a quick witness to a proof that waits behind many. */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];

/** Counts what the prover does, for Prometheus. Contains names and numbers only. */
export class Metrics implements Observer {
  readonly #registry = new Registry();
  readonly #stages = new Histogram({
    name: "prover_stage_seconds",
    help: "Time of a step of a job",
    labelNames: ["circuit", "stage"],
    buckets,
    registers: [this.#registry],
  });
  readonly #settled = this.#counter("prover_settlements_total", "Payments settled", [
    "settlement",
    "network",
  ]);
  readonly #foreign = this.#counter(
    "prover_settlements_foreign_total",
    "Payments settled by an account that is not ours",
    ["settlement", "network"],
  );
  readonly #ended = this.#counter("prover_jobs_total", "Jobs ended", ["circuit", "end"]);
  readonly #refused = this.#counter("prover_refusals_total", "Requests refused", ["code", "reason"]);

  stage(circuit: CircuitId, stage: Stage, milliseconds: number): void {
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

  /** Adds gauges that are looked up at each reading, and Node's own metrics. */
  watch(sources: MetricSources): void {
    const { places, settlements, proofs } = sources;
    this.#gauge("prover_queue_jobs", "Paid proofs to make, running and waiting", () => places().taken);
    this.#gauge("prover_queue_limit", "Paid proofs from which on no new work is taken", () => places().limit);
    this.#gauge("prover_settling_jobs", "Payments being settled", () => settlements().taken);
    this.#gauge("prover_settling_limit", "Payments that may be settled at once", () => settlements().limit);
    this.#gauge("prover_proofs_running", "Proofs being made now", () => proofs().running);
    this.#gauge("prover_proofs_parallel", "Proofs made at once", () => proofs().parallel);
    this.#gauge("prover_bb_restarts", "bb processes replaced since the start", () => sources.bbRestarts());

    this.#table(
      "prover_settlements_open",
      "Payments whose settlement is under way or unclear, of all processes",
      ["network", "age"],
      async () => (await sources.openSettlements()).map(({ count, ...labels }) => [labels, count]),
    );
    this.#table(
      "prover_settlements_reverted",
      "Settlement transactions of our own key that failed on chain, of all processes",
      ["network"],
      async () => (await sources.revertedSettlements()).map(({ network, count }) => [{ network }, count]),
    );
    const gas = (name: string, help: string, read: (left: GasLeft) => number) =>
      this.#table(name, help, ["account", "network"], async () =>
        (await sources.gas()).map((left) => [{ account: left.account, network: left.network }, read(left)]),
      );
    gas("prover_gas_wei", "Balance of an account that pays for settlements", ({ wei }) => Number(wei));
    gas("prover_gas_settlements", "Settlements that balance pays for", ({ settlements }) => settlements);
    const unmatched = (name: string, help: string, value: "count" | "amount") =>
      this.#table(name, help, ["chain", "asset"], async () =>
        (await sources.unmatched()).map(({ chainId, asset, ...found }) => [
          { chain: String(chainId), asset },
          found[value],
        ]),
      );
    unmatched("prover_transfers_unmatched", "Transfers to us that no payment answers after an hour", "count");
    unmatched("prover_transfers_unmatched_atomic", "What these amount to, in atomic units", "amount");
    const credits = (name: string, help: string, value: "count" | "amount") =>
      this.#table(name, help, ["network", "asset"], async () =>
        (await sources.credits()).map(({ network, asset, ...owed }) => [{ network, asset }, owed[value]]),
      );
    credits("prover_credits_owed", "Settled payments without a proof, owed to their payers", "count");
    credits("prover_credits_owed_atomic", "What these amount to, in atomic units of the token", "amount");
    collectDefaultMetrics({ register: this.#registry });
  }

  readonly contentType = this.#registry.contentType;

  /** Returns all metrics in the Prometheus text format. */
  async text(): Promise<string> {
    return await this.#registry.metrics();
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /** Adds a gauge whose labels and values are looked up at each reading. */
  #table<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: () => Promise<[Record<Label, string>, number][]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      async collect() {
        this.reset();
        for (const [labels, value] of await read()) this.set(labels, value);
      },
    });
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }
}
