import { setTimeout as sleep } from "node:timers/promises";
import {
  type Address,
  BlockNotFoundError,
  type Hex,
  isAddressEqual,
  keccak256,
  type Log,
  parseEventLogs,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";
import type { PaymentRow } from "../store/payments";
import type { Checked } from "./checks";
import { answered, type Ledger } from "./ledger";
import type { TransactionPayment } from "./payment";
import type { Learned, PaymentRefusal, Settlement } from "./settlement";
import type { Settler } from "./settler";
import { positioned, tokenAbi } from "./token";

export interface TransactionSettlerOptions {
  /** Offers that accept transactions. */
  offers: readonly PaymentOffer[];
  /** How long the prover waits for confirmations before it asks the client to come back. */
  confirmMs: number;
}

/** What the chain knows of a transaction that a client presents as its payment. */
type Found =
  | { status: "missing" }
  | { status: "wrong"; reason: PaymentRefusal; confirmations: bigint }
  | { status: "pays"; paid: Paid; block: bigint; confirmations: bigint };

/** A transaction to look for; without a nonce if that was compared already. */
type Sought = Pick<TransactionPayment, "offer" | "chainId" | "hash"> & { nonce?: Hex };

/** The transfer that pays, and its position among the transaction's logs. */
interface Paid {
  payer: Address;
  amount: bigint;
  logIndex: number;
}

const pollMs = 500;
/** A transaction that has been missing for this long counts as lost. */
const lostAfterMs = 24 * 3_600_000;
const missing = [TransactionReceiptNotFoundError, TransactionNotFoundError, BlockNotFoundError];

/**
 * Settles transfers that the payer made (X-Payment-TX). The money has moved already; this checks that it is ours, was
 * sent for this challenge, and is final.
 */
export class TransactionSettler implements Settler<TransactionPayment> {
  constructor(
    readonly ledger: Ledger,
    readonly options: TransactionSettlerOptions,
  ) {}

  async verify(payment: TransactionPayment): Promise<Checked> {
    const found = await this.#find(payment);
    if (found.status === "missing") return { ok: false, reason: "transaction_not_found" };
    if (found.status === "wrong") return { ok: false, reason: found.reason };
    const { payer, amount } = found.paid;
    return { ok: true, block: found.block, payer, amount, balance: null };
  }

  async settle(payment: TransactionPayment, _row: PaymentRow): Promise<Settlement> {
    const until = Date.now() + this.options.confirmMs;
    try {
      for (;;) {
        // A reorganization takes the transaction with its block; another block may include it again.
        const end = this.#end(await this.#find(payment), payment.hash, payment.offer);
        if (end) return end;
        if (Date.now() >= until) return { status: "unconfirmed" };
        await sleep(pollMs);
      }
    } catch {
      return { status: "unconfirmed" };
    }
  }

  /** Its nonce was compared before the row was written: only whether the transfer is final is left. */
  async learn(row: PaymentRow): Promise<Learned> {
    const offer = this.options.offers.find(
      ({ network, asset, transactions }) =>
        transactions && network === row.network && isAddressEqual(asset, addressSchema.parse(row.asset)),
    );
    const hash = hex32Schema.safeParse(row.tx_hash);
    if (!offer || !hash.success) return { status: "unconfirmed" };
    const asked = { ...offer, payTo: addressSchema.parse(row.pay_to), amount: row.amount };
    try {
      const found = await this.#find({ offer: asked, chainId: Number(row.chain_id), hash: hash.data });
      // Reorganized away for good, or never sent to the winning chain. If it returns, the books list it.
      if (found.status === "missing" && Date.now() - row.created_at.getTime() > lostAfterMs) {
        return { status: "void", reason: "transaction_not_found" };
      }
      return this.#end(found, hash.data, asked) ?? { status: "unconfirmed" };
    } catch {
      return { status: "unconfirmed" };
    }
  }

  /** Returns the outcome of a transaction; undefined while that can still change. */
  #end(found: Found, transaction: Hex, { transactions }: PaymentOffer): Learned | undefined {
    if (found.status === "missing" || found.confirmations < BigInt(transactions?.confirmations ?? 1)) {
      return undefined;
    }
    return found.status === "pays"
      ? { status: "settled", transaction, logIndex: found.paid.logIndex }
      : { status: "void", reason: found.reason };
  }

  async isReachable(): Promise<boolean> {
    const reachable = await Promise.all(
      this.options.offers.map(({ chainId }) => this.ledger.chains.isReachable(chainId)),
    );
    return reachable.every(Boolean);
  }

  /** @throws ChainUnavailableError */
  async #find({ offer, chainId, hash, nonce }: Sought): Promise<Found> {
    const client = this.ledger.chains.client(chainId);
    return await answered(async () => {
      try {
        const [receipt, { input }, head] = await Promise.all([
          client.getTransactionReceipt({ hash }),
          client.getTransaction({ hash }),
          client.getBlockNumber({ cacheTime: 0 }),
        ]);
        const block = await client.getBlock({ blockNumber: receipt.blockNumber });
        // A node may remember the receipt of a block that its chain no longer has.
        if (block.hash !== receipt.blockHash) return { status: "missing" };
        const confirmations = head - receipt.blockNumber + 1n;
        if (receipt.status !== "success") {
          return { status: "wrong", reason: "transaction_failed", confirmations };
        }
        // The nonce's hash, not the nonce: observers of the chain cannot derive it and present the transfer as theirs.
        if (nonce && !input.endsWith(keccak256(nonce).slice(2))) {
          return { status: "wrong", reason: "wrong_nonce", confirmations };
        }
        const paid = paidTo(offer, receipt.logs);
        return typeof paid === "string"
          ? { status: "wrong", reason: paid, confirmations }
          : { status: "pays", paid, block: receipt.blockNumber, confirmations };
      } catch (error) {
        if (missing.some((each) => error instanceof each)) return { status: "missing" };
        throw error;
      }
    });
  }
}

/** Returns the transfer that pays an offer, or why none of the transaction's logs does. */
function paidTo(offer: PaymentOffer, all: readonly Log[]): Paid | PaymentRefusal {
  const logs = positioned(all).filter(({ log }) => isAddressEqual(log.address, offer.asset));
  const transfers = logs.flatMap(({ log, position }) =>
    parseEventLogs({ abi: tokenAbi, eventName: "Transfer", logs: [log] }).map(({ args }) => ({
      ...args,
      position,
    })),
  );
  if (transfers.length === 0) return "wrong_asset";
  const toUs = transfers.filter(({ to }) => isAddressEqual(to, offer.payTo));
  if (toUs.length === 0) return "wrong_recipient";
  // A transfer by authorization pays for that authorization only: our own settlement of a PAYMENT-SIGNATURE ends with
  // bytes that a contract wallet chooses, and would otherwise pay a second time.
  const authorizers = parseEventLogs({
    abi: tokenAbi,
    eventName: "AuthorizationUsed",
    logs: logs.map(({ log }) => log),
  }).map(({ args }) => args.authorizer);
  const plain = toUs.filter(({ from }) => !authorizers.some((each) => isAddressEqual(each, from)));
  if (plain.length === 0) return "already_used";
  // The money has moved and cannot be returned, so more than the price is accepted.
  const enough = plain.find(({ value }) => value >= BigInt(offer.amount));
  if (!enough) return "wrong_amount";
  return { payer: enough.from, amount: enough.value, logIndex: enough.position };
}
