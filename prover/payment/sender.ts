import {
  type Address,
  createWalletClient,
  type Hex,
  keccak256,
  parseTransaction,
  publicActions,
  type TransactionSerializableEIP1559,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { type NeededFees, neededFees, replacementFees } from "@/lib/chain/fees";
import { chainOf } from "@/lib/proofs/deployment";
import { rpcTransport } from "@/lib/proofs/rpc";
import { type Chains, viemChain } from "../chains";
import { type Outbox, type OutboxRow, type Signed, signedOf } from "../store/outbox";
import { settlementGasLimit } from "./calls";
import { type GasLeft, GasRefusedError, readGas } from "./gas";
import type { SettlementStep } from "./settler";

export interface SenderOptions {
  key: Hex;
  /** How long a transaction may wait for its block before its fee is looked at; default 30 s. */
  replaceAfterMs?: number;
  /** Told of every step that took effect, and awaited; for tests that stop the process there. */
  checkpoint?: (step: SettlementStep) => Promise<void>;
}

/** What a settlement calls. */
export interface SettlementCall {
  to: Address;
  data: Hex;
  /** Wei it may cost at most; default no limit. */
  maxCost?: bigint;
}

const defaultReplaceAfterMs = 30_000;

/**
 * Sends transactions of our own account, whichever process of ours asks: each is written down before it leaves, and
 * every number that was given out is used up in the end, or all later ones would wait for it for ever.
 */
export class Sender {
  readonly account: PrivateKeyAccount;

  constructor(
    readonly chains: Chains,
    readonly outbox: Outbox,
    readonly options: SenderOptions,
  ) {
    this.account = privateKeyToAccount(options.key);
  }

  /**
   * Sends a call for a payment, or again the one that is under way for it.
   * @throws GasRefusedError when it costs more than it may, or than the account has; Error when the node does not
   * answer, or says that the call would fail
   */
  async send(paymentId: Hex, chainId: number, call: SettlementCall): Promise<void> {
    const open = (await this.outbox.ofPayment(paymentId)).find((row) => row.closed_at === null);
    const { raw } = open ? signedOf(open) : await this.#sign(paymentId, chainId, call);
    await this.#broadcast(chainId, raw);
    await this.step("broadcast");
  }

  /** Looks after what is open on a chain. A node that does not answer changes nothing. */
  async sweep(chainId: number): Promise<void> {
    try {
      await this.refresh(chainId);
      const rows = await this.outbox.open(this.#sender(chainId));
      if (rows.length === 0) return;
      const needed = await neededFees(this.#wallet(chainId));
      // Of one number the newest comes last, and is the only one that can still matter to the node.
      const newest = new Map(rows.map((row) => [row.tx_nonce, row]));
      for (const row of newest.values()) {
        const replacement = await this.#replacement(row, needed);
        await this.#broadcast(chainId, (replacement ?? signedOf(row)).raw);
      }
    } catch {
      // The next sweep asks again.
    }
  }

  /** Marks what the chain has mined as done. @throws Error when the node does not answer */
  async refresh(chainId: number): Promise<void> {
    const { address } = this.account;
    const mined = await this.#wallet(chainId).getTransactionCount({ address, blockTag: "latest" });
    await this.outbox.close(this.#sender(chainId), mined);
  }

  /** What the account has left on a chain, and what a settlement costs there now. @throws Error when the node does not answer */
  async gas(chainId: number): Promise<GasLeft & { cost: bigint }> {
    return await readGas(this.chains.client(chainId), `eip155:${chainId}`, this.account.address);
  }

  async step(step: SettlementStep): Promise<void> {
    await this.options.checkpoint?.(step);
  }

  async #sign(paymentId: Hex, chainId: number, { maxCost, ...call }: SettlementCall): Promise<Signed> {
    const wallet = this.#wallet(chainId);
    const { address } = this.account;
    // Estimating first: a transfer the token would refuse never takes a transaction number.
    const gas = await wallet.estimateGas({ account: this.account, ...call });
    if (gas > settlementGasLimit) throw new GasRefusedError("the settlement would take too much gas");
    const [{ fees, least }, mined, balance, open] = await Promise.all([
      neededFees(wallet),
      wallet.getTransactionCount({ address, blockTag: "pending" }),
      wallet.getBalance({ address }),
      this.outbox.open(this.#sender(chainId)),
    ]);
    if (maxCost !== undefined && gas * least > maxCost) {
      throw new GasRefusedError("the settlement would cost more than its share of the price");
    }
    const limit = (gas * 12n) / 10n;
    // What is on its way already has a claim on the balance.
    const claimed = open.reduce((sum, row) => sum + offeredBy(row), 0n);
    if (balance < claimed + limit * fees.maxFeePerGas) {
      throw new GasRefusedError("the settlement account cannot pay for the settlement");
    }
    const signed = await this.outbox.append({ paymentId, ...this.#sender(chainId), mined }, async (nonce) => {
      const { maxFeePerGas, maxPriorityFeePerGas } = fees;
      const own = await this.#signed({
        ...{ chainId, ...call, gas: limit, nonce, maxFeePerGas, maxPriorityFeePerGas },
      });
      await this.step("signed");
      return own;
    });
    await this.step("journaled");
    return signed;
  }

  /** A transaction with the same number and a fee that is taken now, when that of `row` is not. */
  async #replacement(row: OutboxRow, needed: NeededFees): Promise<Signed | undefined> {
    const age = Date.now() - row.created_at.getTime();
    if (age < (this.options.replaceAfterMs ?? defaultReplaceAfterMs)) return undefined;
    const {
      to,
      data,
      gas,
      maxFeePerGas = 0n,
      maxPriorityFeePerGas = 0n,
    } = parseTransaction(signedOf(row).raw);
    const fees = replacementFees({ maxFeePerGas, maxPriorityFeePerGas }, needed);
    if (!to || !data || !gas || !fees) return undefined;
    return await this.outbox.replace(row, () =>
      this.#signed({
        ...{ chainId: row.chain_id, to, data, gas, nonce: row.tx_nonce },
        ...{ maxFeePerGas: fees.maxFeePerGas, maxPriorityFeePerGas: fees.maxPriorityFeePerGas },
      }),
    );
  }

  async #signed(transaction: TransactionSerializableEIP1559): Promise<Signed> {
    const raw = await this.account.signTransaction({ ...transaction, type: "eip1559" });
    return { raw, hash: keccak256(raw) };
  }

  /** A refusal says nothing certain ("already known", "nonce too low"): what was mined does. */
  async #broadcast(chainId: number, raw: Hex): Promise<void> {
    await this.#wallet(chainId)
      .sendRawTransaction({ serializedTransaction: raw })
      .catch(() => undefined);
  }

  #sender(chainId: number) {
    return { chainId, account: this.account.address };
  }

  #wallet(chainId: number) {
    const chain = viemChain(this.chains.deployment, chainId);
    const transport = rpcTransport(chainOf(this.chains.deployment, chainId), {
      timeout: 10_000,
      retryCount: 2,
    });
    return createWalletClient({ account: this.account, chain, transport }).extend(publicActions);
  }
}

/** Wei that a transaction may take from the account. */
function offeredBy(row: OutboxRow): bigint {
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(signedOf(row).raw);
  return gas * maxFeePerGas;
}
