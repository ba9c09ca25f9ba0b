import { type Hex, numberToHex } from "viem";
import type { CircuitId, Deployment, PaymentOffer } from "@/lib/proofs/deployment";
import type { Observer } from "../../observer";
import { requirements } from "../../payment/payment";
import type { Learned } from "../../payment/settlement";
import type { Settlers } from "../../payment/settler";
import type { Peer } from "../../store/instances";
import { Admission, type PaidRequest } from "../admission";
import { Jobs } from "../jobs";
import { Presenter } from "../present";
import { ProofQueue } from "../queue";
import { InterruptedError } from "../run";
import { sealedWorkSchema } from "../sealed-work";
import { Slots } from "../slots";
import { RunTimes } from "../times";
import { recoverPayments } from "../upkeep";
import { paymentsOf, queueOf, silence, World } from "./world";

export const circuit: CircuitId = "oidc_domain_attestation";
/** Counts nothing. */
const noObserver: Observer = {
  stage: () => undefined,
  settled: () => undefined,
  foreign: () => undefined,
  ended: () => undefined,
  request: () => undefined,
  refused: () => undefined,
};
const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const offer: PaymentOffer = {
  chainId: 1,
  network: "eip155:1",
  asset: address("1"),
  symbol: "USDC",
  decimals: 6,
  amount: "100000",
  payTo: address("2"),
  settlement: "payee",
  eip712: { name: "USD Coin", version: "2" },
};
export const payment: PaidRequest["payment"] = {
  kind: "authorization",
  payload: {
    x402Version: 2,
    accepted: requirements(offer),
    payload: {
      signature: "0x",
      authorization: {
        from: address("3"),
        to: offer.payTo,
        value: offer.amount,
        validAfter: "0",
        validBefore: "9999999999",
        nonce: `0x${"4".repeat(64)}`,
      },
    },
  },
};
const deployment: Pick<Deployment, "verifiers" | "chains"> = {
  verifiers: { [circuit]: { chainId: 1, address: address("5"), vkHash: `0x${"6".repeat(64)}` } },
  chains: [{ id: 1, name: "one", rpcUrl: "http://one", publicRpcUrl: "http://one", explorerUrl: null }],
};

/** Limits on requests are not what the model is about. */
export const uncounted: PaidRequest["attempt"] = async () => ({ settled: async () => undefined });

/** A running prover process: the real admission, jobs and state machine on the model's world. */
export class Process {
  alive = true;
  stopping = false;
  readonly jobs: Jobs;
  readonly admission: Admission;
  readonly store;
  readonly settlers: Settlers;
  readonly #proving = new Slots(5);
  readonly #queue: ProofQueue;

  constructor(
    readonly id: string,
    readonly world: World,
    readonly others: () => Process[],
  ) {
    this.store = paymentsOf(world, () => this.step());
    this.settlers = { payee: this.#settler() };
    const presenter = new Presenter(deployment, this.store, () => 0);
    this.#queue = new ProofQueue({
      queue: queueOf(world, () => this.step()),
      instances: { me: id, alone: false, silenceMs: silence, peers: async () => this.#peers() },
      payments: this.store,
      execute: async () => {
        await this.step();
        if (!world.calm && world.dice() < 0.1) throw new Error("the witness thread ended");
        return new Uint8Array(1);
      },
      seal: async (_recipients, _id, { prepared, startedAt, paymentMs }) =>
        JSON.stringify({ ...prepared, startedAt, paymentMs }),
      unseal: async (_id, sealed) => sealedWorkSchema.parse(JSON.parse(sealed)),
      parallel: 1,
      expectedMs: () => 0,
      wait: () => world.wait(),
      checkpoint: () => this.step(),
    });
    this.jobs = new Jobs({
      run: {
        payments: this.store,
        times: new RunTimes(),
        maker: { prove: () => this.#prove(), check: async () => true },
        proving: this.#proving,
        present: (row, stored, token) => presenter.result(row, stored, token),
        report: () => undefined,
        observer: noObserver,
        checkpoint: () => this.step(),
        checkPauseMs: 0,
      },
      payments: this.store,
      instances: { me: id },
      queue: this.#queue,
      presenter,
      wait: () => world.wait(),
    });
    this.admission = new Admission({
      circuits: new Map([
        [
          circuit,
          {
            id: circuit,
            prepare: async (inputs) => {
              await this.step();
              // A witness takes its time: others may accept and settle meanwhile.
              for (let ticks = Math.floor(world.dice() * 4); ticks > 0; ticks -= 1) await world.wait();
              await this.step();
              return { inputs, witness: new Uint8Array(1), publicInputs: [] };
            },
          },
        ],
      ]),
      offers: [offer],
      settlers: this.settlers,
      payments: this.store,
      // One payment only: no credit takes its place, and its price does not change.
      credits: {
        standsFor: async () => undefined,
        hasCredit: async () => false,
        spend: async () => undefined,
        rebind: async () => false,
      },
      prices: { offers: async () => [], since: async () => [] },
      nonces: {
        check: async () => undefined,
        bind: async () => undefined,
        asked: () => undefined,
        paid: async () => false,
      },
      instances: { me: id },
      jobs: this.jobs,
      proving: this.#proving,
      settling: new Slots(5),
      secondsUntilFree: () => 1,
      secret: new Uint8Array(32),
      observer: noObserver,
      checkpoint: () => this.step(),
    });
  }

  /** What a process does by itself. */
  async run(): Promise<void> {
    await this.#queue.open((job, work) => this.jobs.take(job, work));
    void recoverPayments(this.store, this.settlers);
    for (;;) {
      await this.world.wait();
      if (this.world.dice() < 0.3) await this.#queue.releaseAbandoned();
    }
  }

  /** Between any two things a process does: others may be first, and it may be its last. */
  async step(): Promise<void> {
    if (!this.world.calm && this.world.dice() < 0.01) this.crash();
    for (let turns = Math.floor(this.world.dice() * 3); turns > 0; turns -= 1) await undefined;
    // A dead process does not go on; whoever waited for it waits for ever.
    if (!this.alive) await new Promise(() => undefined);
  }

  crash(): void {
    if (!this.alive) return;
    this.alive = false;
    this.world.died(this.id, false);
  }

  /** SIGTERM: what runs is interrupted, written down, and only then the process ends. */
  async stop(): Promise<void> {
    this.stopping = true;
    void this.#queue.close();
    await this.world.pass(3);
    if (!this.alive) return;
    this.alive = false;
    this.world.died(this.id, true);
  }

  #settler(): NonNullable<Settlers["payee"]> {
    const { world } = this;
    const truth = (): Learned => {
      if (world.charged > 0) return { status: "settled", transaction: "0xaa" };
      return world.expired ? { status: "void", reason: "expired" } : { status: "unconfirmed" };
    };
    return {
      verify: async () => {
        await this.step();
        if (world.charged > 0) return { ok: false, reason: "already_used" };
        if (world.expired) return { ok: false, reason: "expired" };
        return { ok: true, block: 1n, payer: address("3"), amount: 100_000n, balance: 100_000n };
      },
      settle: async () => {
        await this.step();
        const known = truth();
        if (known.status !== "unconfirmed") return known;
        const luck = world.calm ? 0 : world.dice();
        if (luck < world.goodSettlements) world.settle();
        else if (luck < 0.8) world.pending = true;
        await this.step();
        // Of every third settlement nothing is heard.
        return luck < 0.4 ? truth() : { status: "unconfirmed" };
      },
      learn: async () => {
        await this.step();
        return world.calm || world.dice() < 0.7 ? truth() : { status: "unconfirmed" };
      },
      isReachable: async () => true,
      recover: async () => undefined,
      sweep: async () => undefined,
    };
  }

  async #prove() {
    await this.step();
    await this.world.wait();
    await this.step();
    if (this.stopping) throw new InterruptedError("the prover stops");
    if (!this.world.calm && this.world.dice() < this.world.badProofs) throw new Error("bb refused the job");
    this.world.made += 1;
    return { proof: numberToHex(this.world.made, { size: 32 }), publicInputs: [] };
  }

  #peers(): Peer[] {
    const living = [this, ...this.others()].filter(({ id }) => this.world.lives(id));
    return living.map(({ id }) => ({ id, publicKey: "" }));
  }
}
