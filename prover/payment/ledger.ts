import {
  type Address,
  BaseError,
  encodeFunctionData,
  type Hex,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import type { Chains } from "../chains";
import type { PaymentRow } from "../store/payments";
import { type Authorized, authorizedFromRow } from "./payment";
import { authorizedTransfer } from "./receipt";
import type { Settled, Settlement, Void } from "./settler";
import { tokenAbi, walletAbi } from "./token-abi";

/** What a wallet answers for a signature it stands for: the selector of the question. */
const erc1271Magic = "0x1626ba7e";
/** A wallet that burns more than this for one check would burn it at our cost when we settle. */
const walletGasLimit = 300_000n;
/** How nodes say that the called code failed, in distinction from a node that could not run it. */
const walletFailure = /revert|evm error|out of gas|opcode|stack|jump/i;

/** A chain did not answer. Never a statement about a payment. */
export class ChainUnavailableError extends Error {
  override name = "ChainUnavailableError";
}

/** What became of an authorization. `unused`: it may still be used until it expires. */
export type Outcome =
  | { status: "unused" }
  | Settled
  /** It can no longer pay us: expired, cancelled, or spent on another transfer. */
  | Void
  /** Used, but the transaction is not found yet: the node is behind. */
  | { status: "unknown" };

/** The chain's own word on payments. A facilitator's or a client's word is only a hint where to look. */
export class Ledger {
  constructor(readonly chains: Chains) {}

  /** @throws ChainUnavailableError */
  async state(payment: Authorized): Promise<{ used: boolean; balance: bigint; block: bigint }> {
    const client = this.chains.client(payment.chainId);
    const token = { address: payment.asset, abi: tokenAbi } as const;
    return await answered(async () => {
      // The block first: a use after these reads then lies at or after it.
      const block = await client.getBlockNumber({ cacheTime: 0 });
      const [used, balance] = await Promise.all([
        client.readContract({
          ...token,
          functionName: "authorizationState",
          args: [payment.payer, payment.nonce],
        }),
        client.readContract({ ...token, functionName: "balanceOf", args: [payment.payer] }),
      ]);
      return { used, balance, block };
    });
  }

  /**
   * Finds out what became of an authorization that was unused before `fromBlock`.
   * @throws ChainUnavailableError
   */
  async outcome(payment: Authorized, fromBlock: bigint): Promise<Outcome> {
    const client = this.chains.client(payment.chainId);
    return await answered(async () => {
      const latest = await client.getBlock({ includeTransactions: false });
      const { used } = await this.state(payment);
      // EIP-3009 asks for a block time below validBefore, so an expired one that is unused stays unused.
      if (!used) {
        return latest.timestamp >= payment.validBefore
          ? { status: "void", reason: "expired" }
          : { status: "unused" };
      }
      const filter = { address: payment.asset, fromBlock } as const;
      const args = { authorizer: payment.payer, nonce: payment.nonce };
      const [uses, cancels] = await Promise.all([
        client.getContractEvents({ ...filter, abi: tokenAbi, eventName: "AuthorizationUsed", args }),
        client.getContractEvents({ ...filter, abi: tokenAbi, eventName: "AuthorizationCanceled", args }),
      ]);
      const use = uses[0];
      const spent = { status: "void", reason: "already_used" } as const;
      if (!use) return cancels.length > 0 ? spent : { status: "unknown" };
      const { logs } = await client.getTransactionReceipt({ hash: use.transactionHash });
      const logIndex = authorizedTransfer(logs, payment);
      return logIndex === undefined
        ? spent
        : { status: "settled", transaction: use.transactionHash, logIndex };
    });
  }

  /** What the chain says of a stored authorization. Does not throw: a silent node leaves it unconfirmed. */
  async learn(row: PaymentRow): Promise<Settlement> {
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
   * Asks a contract wallet whether it stands for a signature (ERC-1271), as a token does. Its own revert is a no.
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
        const answer = await this.chains.client(chainId).call({ to: wallet, data, gas: walletGasLimit });
        return answer.data?.slice(0, 10) === erc1271Magic;
      } catch (error) {
        if (error instanceof BaseError && walletFailure.test(error.details)) return false;
        throw error;
      }
    });
  }

  /**
   * Whether a mined transaction carried this payment.
   * @returns null when it is mined and did not, undefined when it is not mined
   * @throws ChainUnavailableError
   */
  async mined(payment: Authorized, hash: Hex): Promise<Settled | null | undefined> {
    return await answered(async () => {
      try {
        const receipt = await this.chains.client(payment.chainId).getTransactionReceipt({ hash });
        return settledIn(receipt, payment);
      } catch (error) {
        if (error instanceof TransactionReceiptNotFoundError) return undefined;
        throw error;
      }
    });
  }

  /**
   * Waits for a transaction and tells whether it carried this payment.
   * @returns null when it is mined and did not, undefined when it is not mined in time
   * @throws ChainUnavailableError
   */
  async confirmed(payment: Authorized, hash: Hex, timeoutMs: number): Promise<Settled | null | undefined> {
    const client = this.chains.client(payment.chainId);
    try {
      const receipt = await client.waitForTransactionReceipt({
        hash,
        timeout: timeoutMs,
        checkReplacement: false,
      });
      return settledIn(receipt, payment);
    } catch (error) {
      if (error instanceof Error && error.name === "WaitForTransactionReceiptTimeoutError") return undefined;
      throw new ChainUnavailableError("the payment chain does not answer", { cause: error });
    }
  }
}

/** The settlement that a receipt carries; null when it carries none of this payment. */
function settledIn(receipt: TransactionReceipt, payment: Authorized): Settled | null {
  const logIndex = receipt.status === "success" ? authorizedTransfer(receipt.logs, payment) : undefined;
  return logIndex === undefined
    ? null
    : { status: "settled", transaction: receipt.transactionHash, logIndex };
}

/** Turns a node's failure into our own error; its text may name hosts and keys and stays in the cause. */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw error;
    throw new ChainUnavailableError("the payment chain does not answer", { cause: error });
  }
}
