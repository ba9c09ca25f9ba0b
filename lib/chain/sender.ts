import type { Transaction } from "kysely";
import {
  type Address,
  type Chain,
  type FeeValuesEIP1559,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
  type Transport,
} from "viem";
import type { LocalAccount } from "viem/accounts";
import { log } from "@/lib/log";
import { RemoteSignerError } from "@/lib/proofs/client/remote-signer";
import { receiptOf } from "@/lib/proofs/receipt";
import type { SigningKey } from "@/lib/settings/keys";
import { type NeededFees, neededFees, replacementFees } from "./fees";
import type { Call, Closing, Journal, OpenTransaction, Signed, Wallet } from "./journal";
import { signerOf } from "./remote-signer";
import type { ChainTables } from "./tables";

/** The chain or our signer is unreachable, or rejects our transactions now. Nothing was sent, and no nonce was assigned. */
export class ChainUnavailableError extends Error {
  override readonly name = "ChainUnavailableError";
}

/** A transaction whose nonce is used. */
export interface Mined extends Closing {
  /** Receipt of the signature that was mined; null for a lost transaction. */
  readonly receipt: TransactionReceipt | null;
}

/** Applies the effects of a mined transaction and closes it in the journal, in one database transaction. */
type Settle = (mined: Mined) => Promise<void>;

/** What a transaction needs besides its nonce. */
interface Prepared {
  readonly gas: bigint;
  readonly fees: FeeValuesEIP1559;
  /** The chain's count of the wallet's transactions, including pending ones. */
  readonly floor: number;
}

const defaultReplaceAfterMs = 30_000;
const defaultLostAfterMs = 120_000;

/**
 * Sends transactions of our wallet from any of our processes. Each transaction gets its nonce, is signed and stored in the
 * caller's database transaction, is sent after the commit, and is watched by all processes until its nonce is used. A
 * nonce is never assigned twice and never skipped.
 */
export class ChainSender {
  readonly wallet: Wallet;
  readonly #account: LocalAccount | undefined;
  #quote: { at: number; quote: Promise<Quote> } | undefined;
  #checking: Promise<void> | undefined;
  #isOurChain = false;
  readonly #close = async (mined: Mined): Promise<void> => {
    await this.journal.close(mined);
  };

  /**
   * @param key the wallet's; with its address alone, the sender looks after what was signed and signs nothing
   */
  constructor(
    readonly journal: Journal,
    readonly client: PublicClient<Transport, Chain>,
    key: SigningKey | { readonly address: Address; readonly url?: undefined },
    readonly options: SenderOptions = {},
  ) {
    let address: Address;
    if (typeof key === "string" || key.url !== undefined) {
      this.#account = signerOf(key);
      ({ address } = this.#account);
    } else ({ address } = key);
    this.wallet = { chainId: client.chain.id, address };
  }

  /**
   * Returns what a call costs now, or the price of the previous call if that is younger than `quoteMs`.
   * @throws ChainUnavailableError if the chain is unreachable, has no such contract, or our wallet is empty
   */
  async quote(call: Call): Promise<Quote> {
    const now = performance.now();
    if (!this.#quote || now - this.#quote.at >= (this.options.quoteMs ?? 0)) {
      const quote = quoteOf(this.client, this.wallet.address, call);
      this.#quote = { at: now, quote };
      // A failed quote is not reused.
      quote.catch(() => {
        if (this.#quote?.quote === quote) this.#quote = undefined;
      });
    }
    try {
      return await this.#quote.quote;
    } catch (error) {
      throw new ChainUnavailableError("could not quote a transaction", { cause: error });
    }
  }

  /**
   * Fetches everything that signing needs from the chain, so that no database transaction waits for the chain.
   * @param quote what the call costs now
   * @throws ChainUnavailableError if the chain does not answer, or the balance does not cover this transaction and the
   * open ones
   */
  async prepare({ gas, needed, balance }: Quote): Promise<Prepared> {
    const open = await this.journal.open(this.wallet);
    const promised = open.reduce(
      (sum, { gas: own, signatures: [newest] }) => sum + BigInt(own) * newest.maxFeePerGas,
      gas * needed.fees.maxFeePerGas,
    );
    if (balance < promised) throw new ChainUnavailableError("the wallet's balance is too low");
    try {
      const { address } = this.wallet;
      const floor = await this.client.getTransactionCount({ address, blockTag: "pending" });
      return { gas, fees: needed.fees, floor };
    } catch (error) {
      throw new ChainUnavailableError("could not reach the chain", { cause: error });
    }
  }

  /**
   * Signs and stores a transaction within the caller's database transaction (`Journal.append`). Call `broadcast` after
   * the commit.
   * @returns its id in the journal
   * @throws ChainUnavailableError if a remote signer does not sign it
   */
  async append(trx: Transaction<ChainTables>, call: Call, { gas, fees, floor }: Prepared): Promise<string> {
    const id = await this.journal.append(trx, { wallet: this.wallet, call, gas, floor }, async (nonce) => {
      return await this.#sign({ ...call, gas, nonce }, fees);
    });
    await this.step("signed");
    return id;
  }

  /** Sends a committed transaction to the node. `sweep` sends it again if the node did not accept it. */
  async broadcast(id: string): Promise<void> {
    await this.step("journaled");
    const open = await this.journal.open(this.wallet);
    const own = open.find((transaction) => transaction.id === id);
    if (own) await this.#send(own.signatures[0]);
    await this.step("broadcast");
  }

  /**
   * Settles mined transactions. Concurrent callers share one check. Does not throw.
   * @param settle default only closes the transaction
   */
  async look(settle: Settle = this.#close): Promise<void> {
    this.#checking ??= this.#look(settle).finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  /** Settles mined transactions, sends pending ones again, and raises the fees of those that wait too long. Does not throw. */
  async sweep(settle: Settle = this.#close): Promise<void> {
    try {
      await this.journal.reopen(this.wallet, await this.#mined());
      await this.look(settle);
      const open = await this.journal.open(this.wallet);
      const mined = await this.#mined();
      const waiting = open.filter(({ nonce }) => nonce >= mined);
      if (waiting.length === 0) return;
      const needed = await neededFees(this.client);
      for (const transaction of waiting) {
        await this.#send((await this.#replacement(transaction, needed)) ?? transaction.signatures[0]);
      }
    } catch (error) {
      log.warn({ err: error }, "could not sweep transactions");
    }
  }

  async step(step: SenderStep): Promise<void> {
    await this.options.checkpoint?.(step);
  }

  async #look(settle: Settle): Promise<void> {
    try {
      const open = await this.journal.open(this.wallet);
      if (open.length === 0) return;
      const mined = await this.#mined();
      for (const transaction of open) {
        if (transaction.nonce < mined) await this.#settle(transaction, settle);
        else if (transaction.missingSince) await this.journal.markMissing(transaction.id, null);
      }
    } catch (error) {
      log.warn({ err: error }, "could not check transactions");
    }
  }

  /** Settles one transaction. A failure must not stop the others. */
  async #settle(transaction: OpenTransaction, settle: Settle): Promise<void> {
    try {
      const found = await this.#find(transaction);
      if (found) await settle(found);
    } catch (error) {
      log.warn({ err: error, transaction: transaction.id }, "could not settle a transaction");
    }
  }

  /** Returns the count of mined transactions. @throws Error if the node does not respond or is of another chain */
  async #mined(): Promise<number> {
    if (!this.#isOurChain && (await this.client.getChainId()) !== this.wallet.chainId) {
      throw new Error("the node is of another chain");
    }
    this.#isOurChain = true;
    return await this.client.getTransactionCount({ address: this.wallet.address, blockTag: "latest" });
  }

  /** Returns what was mined with a transaction's nonce; undefined while that is uncertain. */
  async #find({ id, signatures, missingSince }: OpenTransaction): Promise<Mined | undefined> {
    for (const { hash } of signatures) {
      const receipt = await receiptOf(this.client, hash);
      if (!receipt) continue;
      await this.step("mined");
      const state = receipt.status === "success" ? "succeeded" : "failed";
      return { id, state, hash, blockNumber: Number(receipt.blockNumber), receipt };
    }
    // Nodes behind one URL differ by some blocks: one may count the nonce while another does not have the receipt.
    const now = Date.now();
    if (!missingSince) await this.journal.markMissing(id, new Date(now));
    else if (now - missingSince.getTime() >= (this.options.lostAfterMs ?? defaultLostAfterMs)) {
      return { id, state: "lost", hash: null, blockNumber: null, receipt: null };
    }
    return undefined;
  }

  /** Stores a replacement with sufficient fees for a transaction that has waited; undefined if it needs none. */
  async #replacement(transaction: OpenTransaction, needed: NeededFees): Promise<Signed | undefined> {
    if (!this.#account) return undefined;
    const [newest] = transaction.signatures;
    const waited = Date.now() - newest.at.getTime();
    if (waited < (this.options.replaceAfterMs ?? defaultReplaceAfterMs)) return undefined;
    const fees = replacementFees(newest, needed);
    if (!fees) return undefined;
    return await this.journal.replace(this.wallet, transaction, async () => {
      return await this.#sign({ ...transaction, gas: BigInt(transaction.gas) }, fees);
    });
  }

  async #sign(
    { to, data, gas, nonce }: Call & { gas: bigint; nonce: number },
    { maxFeePerGas, maxPriorityFeePerGas }: FeeValuesEIP1559,
  ): Promise<Signed> {
    if (!this.#account) throw new Error("the sender has no key");
    const raw = await this.#account
      .signTransaction({
        ...{ type: "eip1559", chainId: this.wallet.chainId, to, data },
        ...{ gas, nonce, maxFeePerGas, maxPriorityFeePerGas },
      })
      .catch((error: unknown) => {
        if (!(error instanceof RemoteSignerError)) throw error;
        log.warn({ err: error, code: error.code }, "the remote signer did not sign a transaction");
        throw new ChainUnavailableError("could not sign a transaction", { cause: error });
      });
    return { raw, hash: keccak256(raw), maxFeePerGas, maxPriorityFeePerGas, at: new Date() };
  }

  /** Ignores refusals ("already known", "nonce too low"): only a mined transaction is certain. */
  async #send({ raw, hash }: Signed): Promise<void> {
    try {
      await this.client.sendRawTransaction({ serializedTransaction: raw });
    } catch (error) {
      log.debug({ err: error, transaction: hash }, "the node did not accept a transaction");
    }
  }
}

/** The current cost of a call. */
interface Quote {
  /** Gas limit: the estimate plus a fifth, since calls of one kind differ by some bytes. */
  readonly gas: bigint;
  /** Estimated gas. */
  readonly estimated: bigint;
  readonly needed: NeededFees;
  /** Balance of the wallet in wei. */
  readonly balance: bigint;
}

/** @throws Error if the node does not respond, is of another chain, or has no contract at the address */
async function quoteOf(client: PublicClient<Transport, Chain>, from: Address, call: Call): Promise<Quote> {
  const [chainId, code, balance, needed] = await Promise.all([
    client.getChainId(),
    client.getCode({ address: call.to }),
    client.getBalance({ address: from }),
    neededFees(client),
  ]);
  if (chainId !== client.chain.id) throw new Error(`the node is of chain ${chainId}`);
  // A call to an address without code succeeds and records nothing.
  if (!code) throw new Error("there is no contract");
  const estimated = await client.estimateGas({ account: from, ...call });
  return { gas: (estimated * 12n) / 10n, estimated, needed, balance };
}

/**
 * Steps of a transaction, in order: signed but not committed, committed to the journal, sent to the node, mined, effects
 * written but not committed.
 */
export const senderSteps = ["signed", "journaled", "broadcast", "mined", "settling"] as const;
export type SenderStep = (typeof senderSteps)[number];

export interface SenderOptions {
  /** How long a quote is reused for the next call; default 0. */
  readonly quoteMs?: number;
  /** How long a transaction may be pending before its fees may be raised; default 30 s. */
  readonly replaceAfterMs?: number;
  /** How long a transaction may be missing while its nonce is used until it counts as lost; default 2 minutes. */
  readonly lostAfterMs?: number;
  /** Awaited at every step; for tests that stop the process there. */
  readonly checkpoint?: (step: SenderStep) => Promise<void>;
}
