import type { Transaction } from "kysely";
import {
  type Address,
  type Chain,
  type FeeValuesEIP1559,
  type Hex,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { log } from "@/lib/log";
import { type NeededFees, neededFees, replacementFees } from "./fees";
import type { Call, Closing, Journal, OpenTransaction, Signed, Wallet } from "./journal";
import type { SenderOptions, SenderStep } from "./steps";
import type { ChainTables } from "./tables";

/** The chain cannot be asked, or does not take our transactions now. Nothing was sent, nothing was numbered. */
export class ChainUnavailableError extends Error {
  override readonly name = "ChainUnavailableError";
}

/** A transaction whose number is used up. */
export interface Mined extends Closing {
  /** Of whichever of its signatures was mined; null for a lost one. */
  readonly receipt: TransactionReceipt | null;
}

/** Does what follows from a mined transaction and closes it in the journal, in one database transaction. */
export type Settle = (mined: Mined) => Promise<void>;

/** What a transaction needs besides its number. */
export interface Prepared {
  readonly gas: bigint;
  readonly fees: FeeValuesEIP1559;
  /** The chain's count of the wallet's transactions, waiting ones included. */
  readonly floor: number;
}

const defaultReplaceAfterMs = 30_000;
const defaultLostAfterMs = 120_000;

/**
 * Sends transactions of our wallet, whichever process of ours asks: each is numbered, signed and written down in the
 * caller's database transaction, leaves once that is committed, and is looked after by all processes until its number
 * is used up. A number is never given out twice and never left out.
 */
export class ChainSender {
  readonly wallet: Wallet;
  readonly #account: PrivateKeyAccount | undefined;
  #quote: { at: number; quote: Promise<Quote> } | undefined;
  #looking: Promise<void> | undefined;
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
    key: Hex | { readonly address: Address; readonly signTransaction?: undefined },
    readonly options: SenderOptions = {},
  ) {
    const account = typeof key === "string" ? privateKeyToAccount(key) : key;
    this.#account = account.signTransaction && account;
    this.wallet = { chainId: client.chain.id, address: account.address };
  }

  /**
   * Returns what a call costs now, or the price of the previous call if that is younger than `quoteMs`.
   * @throws ChainUnavailableError when the chain cannot be asked, has no such contract, or our wallet is empty
   */
  async quote(call: Call): Promise<Quote> {
    const now = performance.now();
    if (!this.#quote || now - this.#quote.at >= (this.options.quoteMs ?? 0)) {
      const quote = quoteOf(this.client, this.wallet.address, call);
      this.#quote = { at: now, quote };
      // What went wrong is asked again at once.
      quote.catch(() => {
        if (this.#quote?.quote === quote) this.#quote = undefined;
      });
    }
    try {
      return await this.#quote.quote;
    } catch (error) {
      throw new ChainUnavailableError("the chain cannot be written to", { cause: error });
    }
  }

  /**
   * Asks the chain everything that signing needs, so that it is not asked while the database waits.
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
    if (balance < promised)
      throw new ChainUnavailableError("the wallet has too little for another transaction");
    try {
      const { address } = this.wallet;
      const floor = await this.client.getTransactionCount({ address, blockTag: "pending" });
      return { gas, fees: needed.fees, floor };
    } catch (error) {
      throw new ChainUnavailableError("the chain cannot be asked", { cause: error });
    }
  }

  /**
   * Signs and stores a transaction within the caller's database transaction (`Journal.append`). Call `broadcast` after
   * the commit.
   * @returns its id in the journal
   */
  async append(trx: Transaction<ChainTables>, call: Call, { gas, fees, floor }: Prepared): Promise<string> {
    const id = await this.journal.append(trx, { wallet: this.wallet, call, gas, floor }, async (nonce) => {
      return await this.#sign({ ...call, gas, nonce }, fees);
    });
    await this.step("signed");
    return id;
  }

  /** Gives a committed transaction to the node. Whether it took it shows when it is looked after. */
  async broadcast(id: string): Promise<void> {
    await this.step("journaled");
    const open = await this.journal.open(this.wallet);
    const own = open.find((transaction) => transaction.id === id);
    if (own) await this.#send(own.signatures[0]);
    await this.step("broadcast");
  }

  /**
   * Settles what is mined. Callers at the same time share one look, which may have begun a moment before.
   * @param settle default only closes the transaction
   * @returns once it is done, whatever the chain said or did not say
   */
  async look(settle: Settle = this.#close): Promise<void> {
    this.#looking ??= this.#look(settle).finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  /** Settles what is mined, sends the rest again, and raises fees of what waits too long. Does not throw. */
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
      log.warn({ err: error }, "transactions cannot be looked after now");
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
      log.warn({ err: error }, "transactions cannot be looked at now");
    }
  }

  /** One that cannot be settled now does not keep the others from it. */
  async #settle(transaction: OpenTransaction, settle: Settle): Promise<void> {
    try {
      const found = await this.#find(transaction);
      if (found) await settle(found);
    } catch (error) {
      log.warn({ err: error, transaction: transaction.id }, "a transaction cannot be settled now");
    }
  }

  /** @throws Error when the node does not answer, or is one of another chain: its numbers would mean nothing */
  async #mined(): Promise<number> {
    if (!this.#isOurChain && (await this.client.getChainId()) !== this.wallet.chainId) {
      throw new Error("the node is one of another chain");
    }
    this.#isOurChain = true;
    return await this.client.getTransactionCount({ address: this.wallet.address, blockTag: "latest" });
  }

  /** What was mined with a transaction's number; undefined while that is not certain. */
  async #find({ id, signatures, missingSince }: OpenTransaction): Promise<Mined | undefined> {
    for (const { hash } of signatures) {
      const receipt = await this.client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined;
        throw error;
      });
      if (!receipt) continue;
      await this.step("mined");
      const state = receipt.status === "success" ? "succeeded" : "failed";
      return { id, state, hash, blockNumber: Number(receipt.blockNumber), receipt };
    }
    // Nodes behind one address differ by some blocks: one that counts it may stand beside one that does not know it.
    const now = Date.now();
    if (!missingSince) await this.journal.markMissing(id, new Date(now));
    else if (now - missingSince.getTime() >= (this.options.lostAfterMs ?? defaultLostAfterMs)) {
      return { id, state: "lost", hash: null, blockNumber: null, receipt: null };
    }
    return undefined;
  }

  /** The same transaction with a fee that is taken now, when its own is not and it has waited; written down. */
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
    const raw = await this.#account.signTransaction({
      ...{ type: "eip1559", chainId: this.wallet.chainId, to, data },
      ...{ gas, nonce, maxFeePerGas, maxPriorityFeePerGas },
    });
    return { raw, hash: keccak256(raw), maxFeePerGas, maxPriorityFeePerGas, at: new Date() };
  }

  /** A refusal says nothing certain ("already known", "nonce too low"): what is mined does. */
  async #send({ raw, hash }: Signed): Promise<void> {
    try {
      await this.client.sendRawTransaction({ serializedTransaction: raw });
    } catch (error) {
      log.debug({ err: error, transaction: hash }, "the node did not take a transaction");
    }
  }
}

/** What a call costs, as the chain says now. */
interface Quote {
  /** Limit of gas: what it takes and a fifth more, since calls of one kind differ by some bytes. */
  readonly gas: bigint;
  /** Gas it takes. */
  readonly estimated: bigint;
  readonly needed: NeededFees;
  /** Wei of the wallet. */
  readonly balance: bigint;
}

/** @throws Error when the chain does not answer, is another one, or has no contract at the address */
async function quoteOf(client: PublicClient<Transport, Chain>, from: Address, call: Call): Promise<Quote> {
  const [chainId, code, balance, needed] = await Promise.all([
    client.getChainId(),
    client.getCode({ address: call.to }),
    client.getBalance({ address: from }),
    neededFees(client),
  ]);
  if (chainId !== client.chain.id) throw new Error(`this is chain ${chainId}`);
  // A call of nothing succeeds and records nothing.
  if (!code) throw new Error("there is no contract");
  const estimated = await client.estimateGas({ account: from, ...call });
  return { gas: (estimated * 12n) / 10n, estimated, needed, balance };
}
