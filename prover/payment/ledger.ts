import { LRUCache } from "lru-cache";
import {
  type Address,
  BaseError,
  encodeEventTopics,
  encodeFunctionData,
  getAddress,
  type Hex,
  HttpRequestError,
  numberToHex,
  RpcError,
  type TransactionReceipt,
} from "viem";
import { receiptOf } from "@/lib/proofs/receipt";
import type { ChainClient, Chains } from "../chains";
import type { PaymentRow } from "../store/payments";
import { type Authorized, authorizedFromRow } from "./payment";
import type { Learned, Settled, Void } from "./settlement";
import { authorizedTransfer, tokenAbi, walletAbi, walletGas } from "./token";

/** What used an authorization. */
interface Use {
  canceled: boolean;
  transaction: Hex;
}

/** Blocks whose logs are asked for at once: hosted nodes refuse long ranges. */
const blocksPerCall = 2_000n;

/**
 * Finds the log that used or canceled an authorization between two blocks (both included), in pages of `size` blocks,
 * halved until the node accepts them.
 * @throws viem's errors when the node does not answer, or refuses even a single block
 */
async function findUse(
  client: ChainClient,
  { asset, payer, nonce }: Authorized,
  { from, to, size }: { from: bigint; to: bigint; size: bigint },
): Promise<Use | undefined> {
  const args = { authorizer: payer, nonce };
  const [used = null, ...indexed] = encodeEventTopics({
    abi: tokenAbi,
    eventName: "AuthorizationUsed",
    args,
  });
  const [canceled = null] = encodeEventTopics({ abi: tokenAbi, eventName: "AuthorizationCanceled", args });
  const either = [used, canceled].flatMap((topic) => (typeof topic === "string" ? topic : []));
  let page = size;
  for (let start = from; start <= to; ) {
    const last = start + page - 1n < to ? start + page - 1n : to;
    try {
      const logs = await client.request({
        method: "eth_getLogs",
        params: [
          {
            address: asset,
            topics: [either, ...indexed],
            fromBlock: numberToHex(start),
            toBlock: numberToHex(last),
          },
        ],
      });
      const log = logs.find(({ transactionHash }) => transactionHash !== null);
      if (log?.transactionHash) {
        return { canceled: log.topics[0] === canceled, transaction: log.transactionHash };
      }
      start = last + 1n;
    } catch (error) {
      const asked = last - start + 1n;
      if (asked === 1n || !isRefusal(error)) throw error;
      page = asked / 2n;
    }
  }
  return undefined;
}

/**
 * Finds the first block at or after a time, by binary search.
 * @param timestamp seconds
 * @param low a block to begin with, even if it is later than the time
 * @param high a block at or after the time
 */
async function blockFrom(client: ChainClient, timestamp: bigint, low: bigint, high: bigint): Promise<bigint> {
  let [first, last] = [low, high];
  while (first < last) {
    const middle = (first + last) / 2n;
    const block = await client.getBlock({ blockNumber: middle });
    if (block.timestamp >= timestamp) last = middle;
    else first = middle + 1n;
  }
  return first;
}

/** Whether a node answered with a refusal, rather than not at all. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const cause = error.walk((each) => each instanceof RpcError || each instanceof HttpRequestError);
  if (cause instanceof HttpRequestError) return cause.status !== undefined && cause.status < 500;
  return cause instanceof RpcError;
}

/** What a wallet returns for a signature it accepts: the function's own selector. */
const erc1271Magic = "0x1626ba7e";
/** Gas of a check before the wallet's code runs: 21,000 and its calldata. */
const callGas = 30_000n;
/** How nodes say that the called code failed, rather than that they could not run it. */
const walletFailure = /revert|evm error|out of gas|opcode|stack|jump/i;

/** Seconds after an authorization's end in which the ledger still looks for its cancellation. */
const searchPastEnd = 3_600n;
/** How far back an authorization that is new to us may have been used: seconds, and blocks at most. */
const lookBack = 3_600n;
const lookBackBlocks = 20_000n;

/** How long an authorization that paid somebody else counts as spent: a reorganization may undo its use. */
const spentMs = 60_000;

/** A chain did not answer. Never a statement about a payment. */
export class ChainUnavailableError extends Error {
  override name = "ChainUnavailableError";
}

/** What became of an authorization. `unused`: it may still be used until it expires. */
export type Outcome =
  | { status: "unused" }
  | Settled
  /** It can no longer pay us: expired, canceled, or used for another transfer. */
  | Void
  /** Used, but its transaction is not found yet: the node is behind. */
  | { status: "unknown" };

/** Reads payments from the chain, which decides. What a facilitator or client says is only a hint where to look. */
export class Ledger {
  readonly #spent = new LRUCache<string, true>({ max: 1_000, ttl: spentMs });

  /** @param pageBlocks blocks per request for logs */
  constructor(
    readonly chains: Chains,
    readonly pageBlocks = blocksPerCall,
  ) {}

  /** Reads an authorization's state as of one block; a node without that block fails. @throws ChainUnavailableError */
  async state(payment: Authorized): Promise<{ used: boolean; balance: bigint; block: bigint }> {
    const client = this.chains.client(payment.chainId);
    return await answered(async () => {
      const block = await client.getBlockNumber({ cacheTime: 0 });
      const [used, balance] = await Promise.all([
        this.#isUsed(payment, block),
        client.readContract({
          ...{ address: payment.asset, abi: tokenAbi, blockNumber: block },
          ...{ functionName: "balanceOf", args: [payment.payer] },
        }),
      ]);
      return { used, balance, block };
    });
  }

  /**
   * Finds out what became of an authorization that was unused before `fromBlock`. All reads are as of one block, so a
   * lagging node cannot make a settled authorization look expired and unused.
   * @throws ChainUnavailableError
   */
  async outcome(payment: Authorized, fromBlock: bigint): Promise<Outcome> {
    const client = this.chains.client(payment.chainId);
    return await answered(async () => {
      const latest = await client.getBlock({ includeTransactions: false });
      if (!(await this.#isUsed(payment, latest.number))) {
        // EIP-3009 requires a block time below validBefore: expired and unused stays unused.
        return latest.timestamp >= payment.validBefore
          ? { status: "void", reason: "expired" }
          : { status: "unused" };
      }
      const end = payment.validBefore + searchPastEnd;
      const to =
        latest.timestamp <= end ? latest.number : await blockFrom(client, end, fromBlock, latest.number);
      const use = await findUse(client, payment, { from: fromBlock, to, size: this.pageBlocks });
      if (!use) return { status: "unknown" };
      const settled = use.canceled ? null : await this.mined(payment, use.transaction);
      if (settled === undefined) return { status: "unknown" };
      if (!settled) this.#spent.set(keyOf(payment), true);
      return settled ?? { status: "void", reason: "already_used" };
    });
  }

  /** Returns whether exactly this authorization was found used without paying us, in the last minute. */
  isSpent(payment: Authorized): boolean {
    return this.#spent.has(keyOf(payment));
  }

  /**
   * Returns where the search for the use of an authorization that is new to us begins: at its first valid block, or an
   * hour ago if that is later.
   * @throws ChainUnavailableError
   */
  async searchStart(payment: Authorized & { validAfter: bigint }): Promise<bigint> {
    const client = this.chains.client(payment.chainId);
    return await answered(async () => {
      const { number, timestamp } = await client.getBlock({ includeTransactions: false });
      const hourAgo = timestamp - lookBack;
      const since = payment.validAfter > hourAgo ? payment.validAfter : hourAgo;
      const low = number > lookBackBlocks ? number - lookBackBlocks : 0n;
      return await blockFrom(client, since, low, number);
    });
  }

  async #isUsed({ chainId, asset, payer, nonce }: Authorized, blockNumber: bigint): Promise<boolean> {
    return await this.chains.client(chainId).readContract({
      ...{ address: asset, abi: tokenAbi, blockNumber },
      ...{ functionName: "authorizationState", args: [payer, nonce] },
    });
  }

  /** Finds out what became of a stored authorization. Does not throw: a silent node leaves it unconfirmed. */
  async learn(row: PaymentRow): Promise<Learned> {
    const payment = authorizedFromRow(row);
    if (!payment) return { status: "unconfirmed" };
    try {
      const outcome = await this.outcome(payment, BigInt(row.from_block));
      if (outcome.status === "settled" || outcome.status === "void") return outcome;
    } catch {
      // Unknown stays unknown.
    }
    return { status: "unconfirmed" };
  }

  /** Whether an account is a contract, or acts as one (EIP-7702). @throws ChainUnavailableError */
  async hasCode(chainId: number, address: Address): Promise<boolean> {
    const code = await answered(() => this.chains.client(chainId).getCode({ address }));
    return code !== undefined && code !== "0x";
  }

  /**
   * Asks a contract wallet whether it accepts a signature (ERC-1271), as a token does. A revert is a no.
   * @throws ChainUnavailableError
   */
  async walletAccepts(chainId: number, wallet: Address, hash: Hex, signature: Hex): Promise<boolean> {
    const data = encodeFunctionData({
      abi: walletAbi,
      functionName: "isValidSignature",
      args: [hash, signature],
    });
    return await answered(async () => {
      try {
        const answer = await this.chains.client(chainId).call({ to: wallet, data, gas: callGas + walletGas });
        return answer.data?.slice(0, 10) === erc1271Magic;
      } catch (error) {
        if (error instanceof BaseError && walletFailure.test(error.details)) return false;
        throw error;
      }
    });
  }

  /**
   * Returns the settlement of this payment in a transaction.
   * @returns null if the transaction is mined and has none, undefined if it is not mined
   * @throws ChainUnavailableError
   */
  async mined(payment: Authorized, hash: Hex): Promise<Settled | null | undefined> {
    return await answered(async () => {
      const receipt = await receiptOf(this.chains.client(payment.chainId), hash);
      return receipt && settledIn(receipt, payment);
    });
  }

  /**
   * Waits for a transaction and returns the settlement of this payment in it.
   * @returns null if the transaction is mined and has none, undefined if it is not mined in time
   * @throws ChainUnavailableError
   */
  async confirmed(payment: Authorized, hash: Hex, timeoutMs: number): Promise<Settled | null | undefined> {
    const client = this.chains.client(payment.chainId);
    try {
      const receipt = await client.waitForTransactionReceipt({ hash, timeout: timeoutMs });
      return settledIn(receipt, payment);
    } catch (error) {
      if (error instanceof Error && error.name === "WaitForTransactionReceiptTimeoutError") return undefined;
      throw new ChainUnavailableError("the payment chain does not answer", { cause: error });
    }
  }
}

/** With every field that decides whether a transfer pays us, so that a forged payment says nothing about a real one. */
function keyOf({ chainId, asset, payer, payTo, amount, nonce, validBefore }: Authorized): string {
  return [chainId, asset, payer, payTo, amount, nonce, validBefore].join();
}

/** Returns the settlement of this payment in a receipt, if any. */
function settledIn(receipt: TransactionReceipt, payment: Authorized): Settled | null {
  const logIndex = receipt.status === "success" ? authorizedTransfer(receipt.logs, payment) : undefined;
  return logIndex === undefined
    ? null
    : { status: "settled", transaction: receipt.transactionHash, logIndex, sender: getAddress(receipt.from) };
}

/** Turns a node's failure into our own error; its text may contain hosts and keys and stays in the cause. */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw error;
    throw new ChainUnavailableError("the payment chain does not answer", { cause: error });
  }
}
