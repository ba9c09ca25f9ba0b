import {
  type Address,
  BlockNotFoundError,
  isAddressEqual,
  keccak256,
  type Log,
  parseEventLogs,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import type { PaymentRow } from "../store/payments";
import type { Checked } from "./checks";
import { answered, type Ledger } from "./ledger";
import type { PaymentRefusal, TransactionPayment } from "./payment";
import { positioned } from "./receipt";
import type { Learned, Settlement, Settler } from "./settler";
import { tokenAbi } from "./token-abi";

export interface TransactionSettlerOptions {
  /** Chains that offers taking transactions are on. */
  chainIds: readonly number[];
  /** How long confirmations are awaited before the client is asked to come back. */
  confirmMs: number;
}

/** What the chain says of a transaction that is to be a payment. */
type Found =
  | { status: "missing" }
  | { status: "wrong"; reason: PaymentRefusal; confirmations: bigint }
  | { status: "pays"; paid: Paid; block: bigint; confirmations: bigint };

/** The transfer that pays, and its position among the transaction's logs. */
interface Paid {
  payer: Address;
  amount: bigint;
  logIndex: number;
}

const pollMs = 500;
const missing = [TransactionReceiptNotFoundError, TransactionNotFoundError, BlockNotFoundError];

/**
 * Transfers that the payer made (X-Payment-TX). The money has moved when we hear of it; what is settled here is that
 * it is ours, was sent for this very challenge, and stays where it is.
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
    const needed = BigInt(payment.offer.transactions?.confirmations ?? 1);
    try {
      for (;;) {
        // A block that was reorganised away takes the transaction with it: it may come back in another one.
        const found = await this.#find(payment);
        if (found.status !== "missing" && found.confirmations >= needed) {
          return found.status === "pays"
            ? { status: "settled", transaction: payment.hash, logIndex: found.paid.logIndex }
            : { status: "void", reason: found.reason };
        }
        if (Date.now() >= until) return { status: "unconfirmed" };
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    } catch {
      return { status: "unconfirmed" };
    }
  }

  /** The row does not know the transaction; its payer, who sends it again, does. */
  async learn(_row: PaymentRow): Promise<Learned> {
    return { status: "unconfirmed" };
  }

  async isReachable(): Promise<boolean> {
    const reachable = await Promise.all(
      this.options.chainIds.map((id) => this.ledger.chains.isReachable(id)),
    );
    return reachable.every(Boolean);
  }

  /** @throws ChainUnavailableError */
  async #find({ offer, chainId, hash, nonce }: TransactionPayment): Promise<Found> {
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
        // The hash of the nonce and not the nonce: who watches the chain cannot tell it, and so cannot spend this.
        if (!input.endsWith(keccak256(nonce).slice(2))) {
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

/** The transfer that pays an offer, or why none of a transaction's logs does. */
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
  // What moved by an authorization is paid for with that authorization: our own settlement of a PAYMENT-SIGNATURE
  // ends with bytes a contract wallet chooses, and would otherwise pay a second time.
  const authorizers = parseEventLogs({
    abi: tokenAbi,
    eventName: "AuthorizationUsed",
    logs: logs.map(({ log }) => log),
  }).map(({ args }) => args.authorizer);
  const plain = toUs.filter(({ from }) => !authorizers.some((each) => isAddressEqual(each, from)));
  if (plain.length === 0) return "already_used";
  // The money has moved and cannot be given back, so more than the price is taken.
  const enough = plain.find(({ value }) => value >= BigInt(offer.amount));
  if (!enough) return "wrong_amount";
  return { payer: enough.from, amount: enough.value, logIndex: enough.position };
}
