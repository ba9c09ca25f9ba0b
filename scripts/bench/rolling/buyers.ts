import { setTimeout as sleep } from "node:timers/promises";
import { parseAbiItem } from "viem";
import { buyProof, memoryStore, payingWallet } from "@/lib/proofs/client";
import type { Deployment } from "@/lib/proofs/deployment";
import { openStore } from "@/prover/store";
import type { Payer } from "@/prover/testing/payer";
import { circuit, ProverClient } from "@/prover/testing/prover-client";
import { price, type Stack } from "@/prover/testing/stack";
import { type Meter, Shift } from "./meter";

/** One buyer each: they pay by the facilitator, or to the prover's own account. */
const NETWORKS = ["eip155:8453", "eip155:1"];
const FUNDS = price * 10_000n;
const PAUSE_MS = 200;
/** Before a purchase that failed goes on with the payment that was signed. */
const AGAIN_MS = 1_000;
const MOST_CALLS = 5;
/** Each process copies transfers into the books every 30 seconds. */
const BOOKS_MS = 120_000;
const transferEvent = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

interface World {
  /** The description with the proxy's addresses. */
  readonly deployment: Deployment;
  readonly stack: Stack;
  readonly meter: Meter;
}

/** How payments, proofs and books compare. */
interface Books {
  readonly proofs: number;
  readonly transfers: number;
  readonly credits: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

/** Buyers of proofs, who pay for each once and repeat only what they paid for. */
export class Buyers {
  readonly #world: World;
  readonly #shift = new Shift();
  #count = 0;
  /** Purchases that signed a payment. */
  #signed = 0;
  /** Settlement transactions of the proofs that buyers have. */
  readonly #bought: string[] = [];
  /** Calls that ended without the proof. */
  readonly #broken: string[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  get proofs(): number {
    return this.#bought.length;
  }

  /** Why a purchase took more than one call. */
  get broken(): readonly string[] {
    return this.#broken;
  }

  async start(): Promise<void> {
    for (const network of NETWORKS)
      for (const buy of [this.#followed, this.#waited]) {
        const payer = await this.#world.stack.payer(FUNDS);
        this.#shift.repeat(PAUSE_MS, async () => {
          this.#count += 1;
          await buy.call(this, `buyer${this.#count}@example.com`, network, payer);
        });
      }
  }

  /** Lets each buyer finish the purchase that is under way. */
  async end(): Promise<void> {
    await this.#shift.end();
  }

  /**
   * Compares what was paid on the chains with the proofs that buyers have and with the provers' books.
   * @param databaseUrl of the provers
   */
  async books(databaseUrl: string): Promise<Books> {
    const { stack } = this.#world;
    const logs = await Promise.all(
      [stack.main, stack.second].map(({ reader, token }) =>
        reader.getLogs({ address: token, event: transferEvent, args: { to: stack.payTo }, fromBlock: 0n }),
      ),
    );
    const transfers = logs.flat().map(({ transactionHash }) => transactionHash);
    const store = await openStore({ url: databaseUrl });
    try {
      const until = Date.now() + BOOKS_MS;
      let lines = await store.transfers.lines();
      while (lines.length < transfers.length && Date.now() < until) {
        await sleep(1_000);
        lines = await store.transfers.lines();
      }
      const credits = (await store.credits.owed()).length;
      const proofs = this.#bought.length;
      const listed = new Set(
        lines.filter(({ end }) => end === "proof" || end === "credit").map((line) => line.transaction),
      );
      const lost = transfers
        .filter((hash) => !listed.has(hash))
        .map((hash) => `${hash} bought no proof and is no credit`);
      for (let n = proofs + credits; n < transfers.length; n += 1)
        lost.push("a payment whose proof nobody got");
      const doubled = this.#bought
        .filter((hash, index) => this.#bought.indexOf(hash) !== index)
        .map((hash) => `${hash} bought two proofs`);
      for (let n = this.#signed; n < transfers.length; n += 1)
        doubled.push("a purchase that was charged twice");
      return { proofs, transfers: transfers.length, credits, lost, doubled };
    } finally {
      await store.close();
    }
  }

  /** Buys with the client that browsers and the command line have, which follows the job's events. */
  async #followed(email: string, network: string, { account }: Payer): Promise<void> {
    const { deployment, meter } = this.#world;
    const inputs = { ...(await this.#inputs(email)), provider: "provider_a" };
    const store = memoryStore();
    let transaction = "";
    await this.#persistently(email, async () => {
      await buyProof({
        ...{ proverUrl: deployment.services.proverUrl, circuit, inputs, store, jobKey: email },
        wallet: payingWallet({
          address: account.address,
          signTypedData: (data) => account.signTypedData(data),
        }),
        expectedOffers: deployment.offers,
        accept: (offers) => offers.find((offer) => offer.network === network),
        fetch: meter.fetch,
        onProgress: (event) => {
          if (event.stage === "payment" && !event.reused) this.#signed += 1;
          if (event.stage === "settled") transaction = event.transaction;
        },
      });
      return transaction;
    });
  }

  /** Buys as a plain x402 client does: waits for the answer, and asks for the job only if it is told to. */
  async #waited(email: string, network: string, payer: Payer): Promise<void> {
    const { deployment, meter } = this.#world;
    const inputs = await this.#inputs(email);
    const client = new ProverClient(deployment.services.proverUrl, circuit, meter.fetch);
    let header = "";
    await this.#persistently(email, async () => {
      if (!header) {
        ({ header } = await payer.sign(await client.offer(network)));
        this.#signed += 1;
      }
      const { result, transaction, jobToken, error } = await client.buy(inputs, header);
      if (result && transaction) return transaction;
      if (!jobToken) throw new Error(error?.message ?? "no proof and no job");
      for (;;) {
        const job = await client.job(jobToken);
        if (job.status === "done" && job.payment) return job.payment.transaction;
        if (job.status === "failed") throw new Error(job.error?.message);
        await sleep(AGAIN_MS);
      }
    });
  }

  async #inputs(email: string) {
    const { deployment, stack } = this.#world;
    return { jwt: await stack.idp.token(email), scope: deployment.scope };
  }

  /** Repeats a purchase until it has its proof. @param buy signs once, and returns the settlement's transaction */
  async #persistently(email: string, buy: () => Promise<string>): Promise<void> {
    for (let calls = 1; calls <= MOST_CALLS; calls += 1) {
      try {
        this.#bought.push(await buy());
        return;
      } catch (error) {
        this.#broken.push(`${email}: ${error instanceof Error ? error.message : error}`);
        await sleep(AGAIN_MS);
      }
    }
  }
}
