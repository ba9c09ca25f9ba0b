import { verifyReceiptSignatureEIP712 } from "@x402/extensions/offer-receipt";
import fc from "fast-check";
import { type Address, type Hex, numberToHex, pad } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Deployment, PaymentOffer } from "@/lib/proofs/deployment";
import { testSettings } from "@/lib/settings/tools";
import { emptyTemplate } from "@/lib/testing/empty";
import { jobPayment } from "../jobs/run";
import { Ledger } from "../payment/ledger";
import { paymentId } from "../payment/payment";
import type { Settlers } from "../payment/settler";
import { TransactionSettler } from "../payment/transaction-settler";
import { Seller } from "../seller/seller";
import { openStore, type Store } from "../store/index";
import type { PaymentRow } from "../store/payments";
import type { TransferEnd } from "../store/transfers";
import { creditNoteSigner } from "../testing/statements";
import { reconcile } from "./reconcile";
import { SimChain, transferLog, usedLog } from "./testing/sim-chain";

const address = (n: number): Address => pad(numberToHex(n), { size: 20 });
const [asset, payer, firstPayTo, secondPayTo] = [address(1), address(2), address(3), address(4)];
const chainId = 8453;
const network = "eip155:8453";
const circuit = "oidc_domain_attestation";
const proof = {
  proof: "0xab",
  publicInputs: [],
  timing: { totalMs: 1, paymentMs: 1, witnessMs: 1, proveMs: 1 },
} as const;

/** The promised time. */
const deliveryMs = 600_000;

/** What may happen, in any order, to three payments. */
const which = fc.nat(2);
const event = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("accept" as const), which, transfer: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("settle" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("settle together" as const), which, other: which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("transfer" as const),
      amount: fc.integer({ min: 1, max: 300_000 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("mine" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reorganize" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("hear" as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("prove" as const), which, fetched: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("expire" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove proofs" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("change price" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("refund" as const), nth: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("books" as const), late: fc.boolean() }) },
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

let store: Store;
beforeAll(async () => {
  store = await openStore({ url: "pglite:memory", template: await emptyTemplate() });
});
afterAll(async () => {
  await store.close();
});

/** One schedule: the real store, ledger, settler and books, on a chain in memory. */
class Play {
  readonly chain: SimChain;
  readonly settlers: Settlers;
  offers: PaymentOffer[];
  readonly #ledger: Ledger;
  readonly #payments = new Map<number, { id: Hex; nonce: Hex; hash?: Hex; offer: PaymentOffer }>();

  constructor() {
    this.offers = [offerTo(firstPayTo, "100000")];
    const deployment = {
      chains: [{ id: chainId, name: "sim", rpcUrl: "http://sim", publicRpcUrl: "http://sim" }],
    };
    // Only its chains are read here.
    this.chain = new SimChain(
      { ...emptyDeployment, chains: deployment.chains.map((c) => ({ ...c, explorerUrl: null })) },
      chainId,
      asset,
      BigInt(Math.floor(Date.now() / 1000)),
    );
    this.#ledger = new Ledger(this.chain);
    const learn: NonNullable<Settlers["facilitator"]>["learn"] = (row) => this.#ledger.learn(row);
    const never = async () => {
      throw new Error("nobody asks here");
    };
    this.settlers = {
      facilitator: { verify: never, settle: never, learn, isReachable: async () => true },
      transaction: new TransactionSettler(this.#ledger, { offers: this.offers, confirmMs: 0 }),
    };
  }

  async do(each: Event): Promise<void> {
    switch (each.kind) {
      case "accept":
        return await this.#accept(each.which, each.transfer);
      case "settle":
        return this.#settle(each.which);
      case "settle together":
        return this.#settleTogether(each.which, each.other);
      case "transfer":
        this.chain.send([transferLog(payer, this.#offer.payTo, BigInt(each.amount))]);
        return;
      case "mine":
        return this.chain.mine();
      case "reorganize":
        return this.chain.reorganize();
      case "hear":
        return await this.#hear(each.which);
      case "prove":
        return await this.#prove(each.which, each.fetched);
      case "fail":
        return await this.#fail(each.which);
      case "expire":
        this.chain.time += 400n;
        this.#dropExpired();
        return this.chain.mine();
      case "remove proofs":
        return void (await store.payments.removeProofs(new Date(Date.now() + 60_000)));
      case "change price":
        this.offers = [offerTo(secondPayTo, "250000")];
        return void (await store.prices.enter(this.offers));
      case "refund":
        return await this.#refund(each.nth);
      case "books":
        return await this.books(each.late);
    }
  }

  async books(late: boolean): Promise<void> {
    const failures: Error[] = [];
    const { settlers, chain, offers } = this;
    const deps = {
      store,
      settlers,
      chains: chain,
      offers,
      deliveryMs,
      defect: (error: Error) => void failures.push(error),
    };
    await reconcile(deps, Date.now() + (late ? deliveryMs + 60_000 : 0));
    expect(failures).toEqual([]);
  }

  get #offer(): PaymentOffer {
    return this.offers[0] ?? offerTo(firstPayTo, "100000");
  }

  async #row(n: number) {
    const payment = this.#payments.get(n);
    return payment && (await store.payments.find(payment.id))?.row;
  }

  async #accept(n: number, transfer: boolean): Promise<void> {
    if (this.#payments.has(n)) return;
    const offer = this.#offer;
    const nonce = pad(numberToHex(n + 1));
    const valid_before = (this.chain.time + 300n).toString();
    const common = {
      ...{
        network,
        chain_id: chainId,
        asset,
        payer,
        pay_to: offer.payTo,
        balance: null,
        amount: offer.amount,
        circuit,
      },
      ...{ input_hash: nonce, from_block: Number(this.chain.head) },
    };
    if (transfer) {
      const hash = this.chain.send([transferLog(payer, offer.payTo, BigInt(offer.amount))]);
      this.chain.mine();
      const id = paymentId({ kind: "transaction", network, hash, nonce });
      this.#payments.set(n, { id, nonce, hash, offer });
      const row = { ...common, id, tx_hash: hash, settlement: "transaction" as const };
      await store.payments.accept({ ...row, authorization_nonce: null, valid_before: null }, "nobody");
      return;
    }
    const id = pad(numberToHex(1000 + n));
    this.#payments.set(n, { id, nonce, offer });
    const row = {
      ...common,
      id,
      settlement: "facilitator" as const,
      authorization_nonce: nonce,
      valid_before,
    };
    await store.payments.accept(row, "nobody");
    this.#ends.set(n, this.chain.time + 300n);
  }

  readonly #ends = new Map<number, bigint>();

  /** The facilitator's transaction is on its way; nobody has heard of it yet. */
  #settle(n: number): void {
    const payment = this.#payments.get(n);
    const end = this.#ends.get(n);
    if (!payment || end === undefined || end <= this.chain.time + 12n) return;
    const { nonce, offer } = payment;
    this.chain.send([usedLog(payer, nonce), transferLog(payer, offer.payTo, BigInt(offer.amount))]);
  }

  /** Two authorizations, one of which moves nothing to us. */
  #settleTogether(n: number, m: number): void {
    const [one, two] = [this.#payments.get(n), this.#payments.get(m)];
    const ends = [this.#ends.get(n), this.#ends.get(m)];
    if (!one || !two || n === m || ends.some((end) => end === undefined || end <= this.chain.time + 12n))
      return;
    const { nonce, offer } = one;
    this.chain.send([
      ...[usedLog(payer, nonce), transferLog(payer, offer.payTo, BigInt(offer.amount))],
      ...[usedLog(payer, two.nonce), transferLog(payer, payer, 0n)],
    ]);
  }

  /** What was not mined in time cannot be any more. */
  #dropExpired(): void {
    const alive = this.chain.waiting.filter(({ logs }) => logs.length === 1);
    this.chain.waiting.splice(0, this.chain.waiting.length, ...alive);
  }

  /** The process that settles learns what became of it. */
  async #hear(n: number): Promise<void> {
    const row = await this.#row(n);
    if (row?.state !== "accepted" && row?.state !== "settling") return;
    const started = await store.payments.apply(payments(row.id), { type: "settlement-started" });
    const outcome =
      await this.settlers[started.settlement === "transaction" ? "transaction" : "facilitator"]?.learn(
        started,
      );
    if (outcome && outcome.status !== "unconfirmed") await store.payments.settle(payments(row.id), outcome);
  }

  async #prove(n: number, fetched: boolean): Promise<void> {
    const row = await this.#row(n);
    if (row?.state !== "settled" && row?.state !== "credited") return;
    const made = await store.payments.deliver(payments(row.id), { ...proof, publicInputs: [] });
    if (fetched)
      await store.payments.db
        .updateTable("payment")
        .set({ delivered_at: new Date() })
        .where("id", "=", made.id)
        .execute();
  }

  async #fail(n: number): Promise<void> {
    const row = await this.#row(n);
    if (row?.state !== "settled" && row?.state !== "credited") return;
    await store.payments.apply(payments(row.id), { type: "proof-failed" });
  }

  /** The operator refunds what is owed, once its block is deep enough. */
  async #refund(nth: number): Promise<void> {
    const lines = await store.transfers.lines();
    const settled = this.chain.transfersTo([firstPayTo, secondPayTo]);
    const deep = lines.filter(({ end, transaction, logIndex }) => {
      const at = settled.find((each) => each.transaction === transaction && each.position === logIndex);
      return (end === "credit" || end === "unmatched") && at && at.block < this.chain.head - 1n;
    });
    const line = deep[nth % Math.max(1, deep.length)];
    if (!line) return;
    const id = line.paymentId ?? `${line.chainId}:${line.transaction}:${line.logIndex}`;
    const { amount } = await store.refunds.owed(id);
    expect(amount).toBe(line.amount);
    await store.refunds.record(id, this.chain.send([transferLog(address(9), payer, BigInt(amount))]));
  }
}

const payments = (id: string): Hex => `0x${id.slice(2)}`;

function offerTo(payTo: Address, amount: string): PaymentOffer {
  return {
    ...{ chainId, network, asset, symbol: "USDC", decimals: 6, amount, payTo, settlement: "facilitator" },
    ...{ eip712: { name: "USD Coin", version: "2" }, transactions: { confirmations: 1 } },
  };
}

const emptyDeployment: Deployment = {
  mode: "development",
  scope: "sim",
  srs: { kind: "development", digest: pad("0x1") },
  chains: [],
  verifiers: {},
  issuers: [],
  offers: [],
  recordBoard: null,
  services: { appUrl: "http://sim", proverUrl: "http://sim", facilitatorUrl: null },
};

async function empty(): Promise<void> {
  const { db } = store.payments;
  for (const table of ["refund", "transfer", "transfer_cursor", "credit", "price_list", "payment"] as const) {
    await db.deleteFrom(table).execute();
  }
}

const seller = new Seller(emptyDeployment, Buffer.alloc(32, 7));

/** A payment that settled has a receipt or a credit note which verifies offline; any other has neither. */
async function checkStatement(row: PaymentRow): Promise<void> {
  const { state } = row;
  const end = state === "proven" ? "proof" : state === "credited" ? "credit" : undefined;
  const { receipt, creditNote } = await seller.statement(row.settled_at ? jobPayment(row) : undefined, end);
  expect([receipt !== undefined, creditNote !== undefined]).toEqual([
    state === "proven",
    state === "credited",
  ]);
  if (receipt) {
    const { signer, payload } = await verifyReceiptSignatureEIP712(receipt);
    expect([signer, payload.transaction, payload.payer]).toEqual([seller.address, row.tx_hash, row.payer]);
  }
  if (creditNote) {
    expect(await creditNoteSigner(creditNote)).toBe(seller.address);
    const { transaction, payer: creditor, amount } = creditNote.payload;
    expect([transaction, creditor, amount]).toEqual([row.tx_hash, row.payer, row.amount]);
  }
}

/** BOOKS_SCHEDULES=10000 is the long form (`npm run assure`). */
const schedules = testSettings().BOOKS_SCHEDULES;

describe("the books under random schedules", () => {
  it(`payments F6: money in = proofs + credits + refunds + listed in ${schedules} of them`, {
    timeout: 3_600_000,
  }, async () => {
    const seen: Record<TransferEnd | "reorganized", number> = {
      ...{ proof: 0, credit: 0, refunded: 0, open: 0, unmatched: 0, reorganized: 0 },
    };
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 12, maxLength: 40, size: "max" }), async (events) => {
        await empty();
        const play = new Play();
        await store.prices.enter(play.offers);
        await play.books(false);
        for (const each of events) await play.do(each);
        // Everything that waits is mined, every authorization is over, and the promised time has passed.
        play.chain.mine();
        play.chain.time += 400n;
        play.chain.mine();
        await play.books(true);
        await play.books(true);

        const came = play.chain.transfersTo([firstPayTo, secondPayTo]);
        const lines = await store.transfers.lines();
        const named = (transaction: string, position: number) => `${transaction}:${position}`;
        expect(lines.map((line) => named(line.transaction, line.logIndex)).sort()).toEqual(
          came.map((each) => named(each.transaction, each.position)).sort(),
        );
        const rows = await store.payments.db.selectFrom("payment").selectAll().execute();
        const count = (state: string) => rows.filter((row) => row.state === state).length;
        const ended = (end: TransferEnd) => lines.filter((line) => line.end === end);
        expect(ended("open")).toEqual([]);
        expect([ended("proof").length, ended("credit").length]).toEqual([count("proven"), count("credited")]);
        expect((await store.credits.owed()).length).toBe(count("credited"));
        expect(count("accepted") + count("settling") + count("settled")).toBe(0);
        const sum = (of: readonly { amount: string | bigint }[]) =>
          of.reduce((all, { amount }) => all + BigInt(amount), 0n);
        const ends = (["proof", "credit", "refunded", "unmatched"] as const).map((end) => sum(ended(end)));
        expect(ends.reduce((all, each) => all + each, 0n)).toBe(sum(came));
        for (const row of rows) await checkStatement(row);
        for (const { end } of lines) seen[end] += 1;
        if (events.some(({ kind }) => kind === "reorganize")) seen.reorganized += 1;
      }),
      { numRuns: schedules },
    );
    // The schedules reached what they are about.
    const { open, ...reached } = seen;
    expect([open, Object.entries(reached).filter(([, times]) => times < schedules / 100)]).toEqual([0, []]);
  });
});
