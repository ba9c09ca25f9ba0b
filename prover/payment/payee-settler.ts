import { setTimeout as sleep } from "node:timers/promises";
import { type Address, type Hex, isAddressEqual } from "viem";
import { addressOf } from "@/lib/chain/remote-signer";
import { ChainSender, type SenderOptions } from "@/lib/chain/sender";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import type { SigningKey } from "@/lib/settings/keys";
import type { PaymentRow } from "../store/payments";
import type { Settlements } from "../store/settlements";
import { type Checked, checkPayment } from "./checks";
import { assertCost, enoughSettlements, type GasLeft, gasProblem, readGas } from "./gas";
import { answered, type Ledger } from "./ledger";
import type { AuthorizedPayment } from "./payment";
import type { Learned, Settlement } from "./settlement";
import { type OwnSettler, SettlementUnavailableError } from "./settler";
import { transferCall } from "./token";

export interface PayeeSettlerOptions {
  key: SigningKey;
  /** Chains of the offers with payee settlement. */
  chainIds: readonly number[];
  /** How long the prover waits for a transaction before it asks the client to come back. */
  confirmMs: number;
  /** Wei a settlement of this offer may cost; default no limit. */
  maxCost?(offer: PaymentOffer): bigint | undefined;
  /** Options of the senders, one per chain. */
  sending?: SenderOptions;
}

const pollMs = 250;
/** How long payments of a payer are refused whose settlement failed at our cost. */
const revertPauseMs = 3_600_000;

/**
 * Settles with our own key. The signed transaction is stored before it is broadcast, so a restarted process knows its
 * hash and never signs a second one while the first may still be mined.
 */
export class PayeeSettler implements OwnSettler {
  readonly #account: Address;
  readonly #senders: ReadonlyMap<number, ChainSender>;

  constructor(
    readonly ledger: Ledger,
    readonly settlements: Settlements,
    readonly options: PayeeSettlerOptions,
  ) {
    const { key, sending, chainIds } = options;
    this.#account = addressOf(key);
    this.#senders = new Map(
      chainIds.map((id) => [
        id,
        new ChainSender(settlements.journal, ledger.chains.client(id), key, sending),
      ]),
    );
  }

  async verify(payment: AuthorizedPayment): Promise<Checked> {
    const checked = await checkPayment(payment, this.ledger);
    if (!checked.ok || checked.settled) return checked;
    if (await this.#isPaused(payment)) return { ok: false, reason: "settlement_reverted" };
    const gas = await answered(() => this.#gas(payment.chainId));
    const problem = gasProblem(gas, this.options.maxCost?.(payment.offer));
    if (problem) throw new SettlementUnavailableError(`the settlement account cannot settle: ${problem}`);
    return checked;
  }

  async settle(payment: AuthorizedPayment, row: PaymentRow): Promise<Settlement> {
    try {
      const sender = this.#sender(payment.chainId);
      const earlier = await this.settlements.hashes(payment.id);
      if (earlier.length > 0) {
        const outcome = await this.ledger.outcome(payment, BigInt(row.from_block));
        if (outcome.status === "settled" || outcome.status === "void") return outcome;
        if (outcome.status === "unknown") return { status: "unconfirmed" };
        // Unused although we sent it: the transaction is pending, or it failed and its nonce is used.
        await sender.look();
        for (const hash of earlier) await this.#settledBy(payment, row, hash);
      }
      if (await this.#isPaused(payment)) return { status: "unconfirmed" };
      const open = await this.settlements.open(payment.id);
      await sender.broadcast(open ?? (await this.#sign(sender, payment)));
      return await this.#await(payment, row);
    } catch {
      // The transaction was refused before its broadcast, or the node is silent: the chain decides.
      return await this.learn(row);
    }
  }

  async learn(row: PaymentRow): Promise<Learned> {
    return await this.ledger.learn(row);
  }

  async recover(): Promise<void> {
    await this.sweep();
  }

  async sweep(): Promise<void> {
    await Promise.all([...this.#senders.values()].map((sender) => sender.sweep()));
  }

  async isReachable(): Promise<boolean> {
    const left = await this.gas();
    return (
      left.length === this.options.chainIds.length &&
      left.every(({ settlements }) => settlements >= enoughSettlements)
    );
  }

  isOurs(sender: Address): boolean {
    return isAddressEqual(sender, this.#account);
  }

  async gas(): Promise<GasLeft[]> {
    const left = this.options.chainIds.map((chainId) => this.#gas(chainId).catch(() => []));
    return (await Promise.all(left)).flat();
  }

  /**
   * Signs and stores the payment's transaction. Gas is estimated first: a transfer that the token refuses never gets a
   * nonce.
   * @returns its id in the journal
   * @throws GasRefusedError if it costs more than allowed; Error if the node does not answer, the call would fail, or
   * the balance is too low
   */
  async #sign(sender: ChainSender, payment: AuthorizedPayment): Promise<string> {
    const payerHasCode = await this.ledger.hasCode(payment.chainId, payment.payer);
    const call = { to: payment.asset, data: transferCall(payment, payerHasCode) };
    const quote = await sender.quote(call);
    assertCost(quote.estimated, quote.needed.least, this.options.maxCost?.(payment.offer));
    const prepared = await sender.prepare(quote);
    return await this.settlements.begin(payment.id, (trx) => sender.append(trx, call, prepared));
  }

  /** Returns what the account has left on a chain, and what a settlement costs there. @throws Error if the node does not answer */
  async #gas(chainId: number): Promise<GasLeft & { cost: bigint }> {
    return await readGas(this.ledger.chains.client(chainId), `eip155:${chainId}`, this.#account);
  }

  /** @throws Error if no offer with own-key settlement is on the chain */
  #sender(chainId: number): ChainSender {
    const sender = this.#senders.get(chainId);
    if (!sender) throw new Error(`no own-key settlement on chain ${chainId}`);
    return sender;
  }

  /** Whether a settlement of this payer failed lately: a wallet that accepts for us and refuses its token burns our gas. */
  async #isPaused({ payer }: AuthorizedPayment): Promise<boolean> {
    return await this.settlements.hasReverted(payer, new Date(Date.now() - revertPauseMs));
  }

  /** Returns the outcome by one of the payment's transactions; undefined while that is not mined. @throws ChainUnavailableError */
  async #settledBy(payment: AuthorizedPayment, row: PaymentRow, hash: Hex): Promise<Learned | undefined> {
    const settled = await this.ledger.mined(payment, hash);
    if (settled !== null) return settled;
    const outcome = await this.ledger.outcome(payment, BigInt(row.from_block));
    // Ours also fails if someone else submits the payment first or its block comes too late: not the payer's fault.
    const isPayersFault =
      outcome.status === "unused" || (outcome.status === "void" && outcome.reason === "already_used");
    if (isPayersFault) await this.settlements.reverted(hash);
    return outcome.status === "settled" || outcome.status === "void" ? outcome : { status: "unconfirmed" };
  }

  /** Waits for the payment's transaction, or one that replaced it meanwhile. @throws ChainUnavailableError */
  async #await(payment: AuthorizedPayment, row: PaymentRow): Promise<Settlement> {
    const until = Date.now() + this.options.confirmMs;
    for (;;) {
      for (const hash of await this.settlements.hashes(payment.id)) {
        const settlement = await this.#settledBy(payment, row, hash);
        if (settlement === undefined) continue;
        await this.#sender(payment.chainId).step("mined");
        return settlement;
      }
      if (Date.now() >= until) return await this.learn(row);
      await sleep(pollMs);
    }
  }
}
