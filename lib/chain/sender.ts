import type { Kysely, Transaction } from "kysely";
import {
  createPublicClient,
  defineChain,
  type FeeValuesEIP1559,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { Database } from "@/db/schema";
import { log } from "@/lib/log";
import type { Chain } from "@/lib/proofs/deployment";
import { rpcTransport } from "@/lib/proofs/rpc";
import { type NeededFees, neededFees, replacementFees } from "./fees";
import {
  type Call,
  type Closing,
  insertTransaction,
  markMissing,
  type OpenTransaction,
  openTransactions,
  reopenTransactions,
  replaceSignature,
  type Signed,
  takeNonce,
  type Wallet,
} from "./journal";
import { type Quote, quoteOf } from "./quote";
import type { SenderOptions, SenderStep } from "./steps";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

/** The chain cannot be asked, or does not take our transactions now. Nothing was sent, nothing was numbered. */
export class ChainUnavailableError extends Error {
  override readonly name = "ChainUnavailableError";
}

/** A transaction whose number is used up. */
export interface Mined extends Closing {
  /** Of whichever of its signatures was mined; null for a lost one. */
  readonly receipt: TransactionReceipt | null;
}

/** Does what follows from a mined transaction and closes it (journal.ts), in one database transaction. */
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
/** How long a price is taken for the price of now. */
const quoteMs = 5_000;

/**
 * Sends transactions of our wallet, whichever process of ours asks: each is numbered, signed and written down in the
 * caller's database transaction, leaves once that is committed, and is looked after by all processes until its number
 * is used up. A number is never given out twice and never left out.
 */
export class ChainSender {
  readonly client: PublicClient;
  readonly wallet: Wallet;
  readonly #account: PrivateKeyAccount;
  #quote: { at: number; quote: Promise<Quote> } | undefined;
  #looking: Promise<void> | undefined;
  #isOurChain = false;

  constructor(
    readonly db: Db,
    readonly chain: Chain,
    key: `0x${string}`,
    readonly options: SenderOptions = {},
  ) {
    this.#account = privateKeyToAccount(key);
    this.wallet = { chainId: chain.id, address: this.#account.address };
    this.client = createPublicClient({
      chain: defineChain({
        id: chain.id,
        name: chain.name,
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: { default: { http: [chain.rpcUrl] } },
      }),
      transport: rpcTransport(chain, { timeout: 5_000, retryCount: 1 }),
      // A price or a number that is seconds old would be one that is wrong.
      cacheTime: 0,
    });
  }

  /**
   * What a call costs now, asked of the chain every five seconds at most: one call of a kind costs what another does.
   * @throws ChainUnavailableError when the chain cannot be asked, has no such contract, or our wallet is empty
   */
  async quote(call: Call): Promise<Quote> {
    const now = performance.now();
    if (!this.#quote || now - this.#quote.at > quoteMs) {
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
   * @throws ChainUnavailableError as for `quote`, and when the wallet could not pay for what is on its way besides
   */
  async prepare(call: Call): Promise<Prepared> {
    const { gas, needed, balance } = await this.quote(call);
    const open = await openTransactions(this.db, this.wallet);
    const promised = open.reduce(
      (sum, { gas: own, signatures: [newest] }) => sum + BigInt(own) * newest.maxFeePerGas,
      gas * needed.fees.maxFeePerGas,
    );
    if (balance < promised) throw new ChainUnavailableError("the wallet has too little for another record");
    try {
      const { address } = this.wallet;
      const floor = await this.client.getTransactionCount({ address, blockTag: "pending" });
      return { gas, fees: needed.fees, floor };
    } catch (error) {
      throw new ChainUnavailableError("the chain cannot be asked", { cause: error });
    }
  }

  /**
   * Numbers, signs and writes down a transaction, as a part of the caller's. Takes the wallet's row: nothing else is
   * to be locked after it. Call `broadcast` once it is committed.
   * @returns its id in the journal
   */
  async journal(trx: Trx, call: Call, { gas, fees, floor }: Prepared): Promise<string> {
    const nonce = await takeNonce(trx, this.wallet, floor);
    const signed = await this.#sign({ ...call, gas, nonce }, fees);
    const id = await insertTransaction(trx, { wallet: this.wallet, nonce, call, gas }, signed);
    await this.step("signed");
    return id;
  }

  /** Gives a committed transaction to the node. Whether it took it shows when it is looked after. */
  async broadcast(id: string): Promise<void> {
    await this.step("journaled");
    const open = await openTransactions(this.db, this.wallet);
    const own = open.find((transaction) => transaction.id === id);
    if (own) await this.#send(own.signatures[0]);
    await this.step("broadcast");
  }

  /**
   * Settles what is mined. Callers at the same time share one look, which may have begun a moment before.
   * @returns once it is done, whatever the chain said or did not say
   */
  async look(settle: Settle): Promise<void> {
    this.#looking ??= this.#look(settle).finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  /** Settles what is mined, sends the rest again, and raises fees of what waits too long. Does not throw. */
  async sweep(settle: Settle): Promise<void> {
    try {
      await reopenTransactions(this.db, this.wallet, await this.#mined());
      await this.look(settle);
      const open = await openTransactions(this.db, this.wallet);
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
      const open = await openTransactions(this.db, this.wallet);
      if (open.length === 0) return;
      const mined = await this.#mined();
      for (const transaction of open) {
        if (transaction.nonce < mined) await this.#settle(transaction, settle);
        else if (transaction.missingSince) await markMissing(this.db, transaction.id, null);
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
    if (!this.#isOurChain && (await this.client.getChainId()) !== this.chain.id) {
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
    if (!missingSince) await markMissing(this.db, id, new Date(now));
    else if (now - missingSince.getTime() >= (this.options.lostAfterMs ?? defaultLostAfterMs)) {
      return { id, state: "lost", hash: null, blockNumber: null, receipt: null };
    }
    return undefined;
  }

  /** The same transaction with a fee that is taken now, when its own is not and it has waited; written down. */
  async #replacement(transaction: OpenTransaction, needed: NeededFees): Promise<Signed | undefined> {
    const [newest] = transaction.signatures;
    const waited = Date.now() - newest.at.getTime();
    if (waited < (this.options.replaceAfterMs ?? defaultReplaceAfterMs)) return undefined;
    const fees = replacementFees(newest, needed);
    if (!fees) return undefined;
    return await replaceSignature(this.db, this.wallet, transaction, async () => {
      return await this.#sign({ ...transaction, gas: BigInt(transaction.gas) }, fees);
    });
  }

  async #sign(
    { to, data, gas, nonce }: Call & { gas: bigint; nonce: number },
    { maxFeePerGas, maxPriorityFeePerGas }: FeeValuesEIP1559,
  ): Promise<Signed> {
    const raw = await this.#account.signTransaction({
      ...{
        type: "eip1559",
        chainId: this.chain.id,
        to,
        data,
        gas,
        nonce,
        maxFeePerGas,
        maxPriorityFeePerGas,
      },
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
