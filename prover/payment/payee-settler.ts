import {
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  parseSignature,
  parseTransaction,
  publicActions,
} from "viem";
import { createNonceManager, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { jsonRpc } from "viem/nonce";
import { hexSchema } from "@/lib/proofs/hex";
import { viemChain } from "../chains";
import { KeyedLock } from "../keyed-lock";
import type { PaymentRow, Payments } from "../store/payments";
import { type Checked, checkPayment } from "./checks";
import type { Ledger } from "./ledger";
import { type Authorized, authorizedFromRow, type Payment } from "./payment";
import type { Settlement, Settler } from "./settler";
import { tokenAbi } from "./token-abi";

export interface PayeeSettlerOptions {
  key: Hex;
  /** How long a broadcast transaction is awaited before the client is asked to come back. */
  confirmMs: number;
}

/**
 * Settlement with our own key. The signed transaction is written down before it is broadcast, so a restart
 * knows the hash to look for and never signs a second one while the first may still be mined.
 */
export class PayeeSettler implements Settler {
  readonly #account: PrivateKeyAccount;
  readonly #nonces = createNonceManager({ source: jsonRpc() });
  /** Sign, write down, broadcast is one step per chain: transaction numbers must leave in order. */
  readonly #outbox = new KeyedLock<number>();

  constructor(
    readonly ledger: Ledger,
    readonly payments: Payments,
    readonly chainIds: readonly number[],
    readonly options: PayeeSettlerOptions,
  ) {
    this.#account = privateKeyToAccount(options.key);
  }

  async verify(payment: Payment): Promise<Checked> {
    return await checkPayment(payment, this.ledger, BigInt(Math.floor(Date.now() / 1000)));
  }

  async settle(payment: Payment, row: PaymentRow): Promise<Settlement> {
    try {
      const earlier = hexSchema.nullable().parse(row.raw_transaction);
      if (earlier) {
        const followed = await this.#follow(payment, row, earlier);
        if (followed) return followed;
      }
      const raw = await this.#outbox.run(payment.chainId, () => this.#send(payment));
      return await this.#await(payment, row, raw);
    } catch {
      // A transaction that was refused before its broadcast, or a silent node: the chain decides.
      return await this.#decide(payment, row);
    }
  }

  /** Broadcasts again what was written down and not yet known to be mined. Called once, before any payment. */
  async recover(rows: readonly PaymentRow[]): Promise<void> {
    for (const row of rows) {
      const raw = hexSchema.nullable().parse(row.raw_transaction);
      if (raw) await this.#broadcast(authorizedFromRow(row), raw);
    }
  }

  async isReachable(): Promise<boolean> {
    try {
      const balances = await Promise.all(
        this.chainIds.map((id) =>
          this.ledger.chains.client(id).getBalance({ address: this.#account.address }),
        ),
      );
      return balances.every((balance) => balance > 0n);
    } catch {
      return false;
    }
  }

  /** The result of a transaction of an earlier run; undefined when it can never be mined. */
  async #follow(payment: Payment, row: PaymentRow, raw: Hex): Promise<Settlement | undefined> {
    await this.#broadcast(payment, raw);
    const settlement = await this.#await(payment, row, raw);
    if (settlement.status !== "unconfirmed") return settlement;
    const mined = await this.ledger.chains
      .client(payment.chainId)
      .getTransactionCount({ address: this.#account.address });
    // Its number was taken by another transaction of ours and it was not mined itself.
    return mined > (parseTransaction(raw).nonce ?? 0) ? undefined : settlement;
  }

  async #await(payment: Payment, row: PaymentRow, raw: Hex): Promise<Settlement> {
    const hash = keccak256(raw);
    if (await this.ledger.confirmed(payment, hash, this.options.confirmMs)) {
      return { status: "settled", transaction: hash };
    }
    return await this.#decide(payment, row);
  }

  async #decide(payment: Payment, row: PaymentRow): Promise<Settlement> {
    try {
      const outcome = await this.ledger.outcome(payment, BigInt(row.from_block));
      if (outcome.status === "settled" || outcome.status === "void") return outcome;
    } catch {
      // Unknown stays unknown.
    }
    return { status: "unconfirmed" };
  }

  /** Signs, writes down, broadcasts. */
  async #send(payment: Payment): Promise<Hex> {
    const wallet = this.#wallet(payment.chainId);
    const { r, s, yParity } = parseSignature(payment.signature);
    const { payer, payTo, amount, validAfter, validBefore, nonce: authorizationNonce } = payment;
    const data = encodeFunctionData({
      abi: tokenAbi,
      functionName: "transferWithAuthorization",
      args: [payer, payTo, amount, validAfter, validBefore, authorizationNonce, yParity + 27, r, s],
    });
    const address = { address: this.#account.address, chainId: payment.chainId };
    // Estimating first: a transfer the token would refuse never takes a transaction number.
    const gas = await wallet.estimateGas({ account: this.#account, to: payment.asset, data });
    const fees = await wallet.estimateFeesPerGas();
    const nonce = await this.#nonces.consume({ ...address, client: wallet });
    let raw: Hex;
    try {
      raw = await this.#account.signTransaction({
        type: "eip1559",
        chainId: payment.chainId,
        to: payment.asset,
        data,
        gas: (gas * 12n) / 10n,
        nonce,
        maxFeePerGas: fees.maxFeePerGas,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
      });
      await this.payments.journal(payment.id, { raw, hash: keccak256(raw) });
    } catch (error) {
      // Not written down means not sent: the number is free again.
      this.#nonces.reset(address);
      throw error;
    }
    await this.#broadcast(payment, raw);
    return raw;
  }

  /** A refusal says nothing certain ("already known", "nonce too low"): what was mined does. */
  async #broadcast({ chainId }: Authorized, raw: Hex): Promise<void> {
    await this.#wallet(chainId)
      .sendRawTransaction({ serializedTransaction: raw })
      .catch(() => this.#nonces.reset({ address: this.#account.address, chainId }));
  }

  #wallet(chainId: number) {
    const chain = viemChain(this.ledger.chains.deployment, chainId);
    const transport = http(chain.rpcUrls.default.http[0], { timeout: 10_000 });
    return createWalletClient({ account: this.#account, chain, transport }).extend(publicActions);
  }
}
