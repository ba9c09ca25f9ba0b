import { setTimeout as sleep } from "node:timers/promises";
import { type Address, isAddressEqual } from "viem";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { hex32Schema } from "@/lib/proofs/hex";
import type { PaymentRow } from "../store/payments";
import { transferCall } from "./calls";
import { type Checked, checkPayment } from "./checks";
import { enoughSettlements, type GasLeft } from "./gas";
import { answered, type Ledger } from "./ledger";
import type { AuthorizedPayment } from "./payment";
import type { Sender } from "./sender";
import { type Learned, type Settlement } from "./settlement";
import { type OwnSettler, SettlementUnavailableError } from "./settler";

export interface PayeeSettlerOptions {
  /** Chains that offers with payee settlement are on. */
  chainIds: readonly number[];
  /** How long a broadcast transaction is awaited before the client is asked to come back. */
  confirmMs: number;
  /** Wei a settlement of this offer may cost; default no limit. */
  maxCost?(offer: PaymentOffer): bigint | undefined;
}

const pollMs = 250;
/** For so long a payer whose settlement failed at our cost is not settled for. */
const revertPauseMs = 3_600_000;

/**
 * Settlement with our own key. The signed transaction is written down before it is broadcast, so a restart
 * knows the hash to look for and never signs a second one while the first may still be mined.
 */
export class PayeeSettler implements OwnSettler {
  constructor(
    readonly ledger: Ledger,
    readonly sender: Sender,
    readonly options: PayeeSettlerOptions,
  ) {}

  async verify(payment: AuthorizedPayment): Promise<Checked> {
    const checked = await checkPayment(payment, this.ledger, BigInt(Math.floor(Date.now() / 1000)));
    if (!checked.ok || checked.settled) return checked;
    if (await this.#isPaused(payment)) return { ok: false, reason: "settlement_reverted" };
    const maxCost = this.options.maxCost?.(payment.offer);
    const { settlements, cost } = await answered(() => this.sender.gas(payment.chainId));
    if (settlements < 1) throw new SettlementUnavailableError("the settlement account is empty");
    if (maxCost !== undefined && cost > maxCost) {
      throw new SettlementUnavailableError("a settlement costs more than its share of the price");
    }
    return checked;
  }

  async settle(payment: AuthorizedPayment, row: PaymentRow): Promise<Settlement> {
    try {
      const earlier = await this.sender.outbox.ofPayment(payment.id);
      if (earlier.length > 0) {
        const outcome = await this.ledger.outcome(payment, BigInt(row.from_block));
        if (outcome.status === "settled" || outcome.status === "void") return outcome;
        if (outcome.status === "unknown") return { status: "unconfirmed" };
        // Unused although we sent it: under way, or its transaction failed and its number is used up.
        await this.sender.refresh(payment.chainId);
        for (const { hash } of earlier) await this.#settledBy(payment, row, hash);
      }
      if (await this.#isPaused(payment)) return { status: "unconfirmed" };
      const payerHasCode = await this.ledger.hasCode(payment.chainId, payment.payer);
      const data = transferCall(payment, payerHasCode);
      const maxCost = this.options.maxCost?.(payment.offer);
      await this.sender.send(payment.id, payment.chainId, { to: payment.asset, data, maxCost });
      return await this.#await(payment, row);
    } catch {
      // A transaction that was refused before its broadcast, or a silent node: the chain decides.
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
    await Promise.all(this.options.chainIds.map((chainId) => this.sender.sweep(chainId)));
  }

  async isReachable(): Promise<boolean> {
    const left = await this.gas();
    return (
      left.length === this.options.chainIds.length &&
      left.every(({ settlements }) => settlements >= enoughSettlements)
    );
  }

  isOurs(sender: Address): boolean {
    return isAddressEqual(sender, this.sender.account.address);
  }

  async gas(): Promise<GasLeft[]> {
    const left = this.options.chainIds.map((chainId) => this.sender.gas(chainId).catch(() => []));
    return (await Promise.all(left)).flat();
  }

  /** Whether a settlement of this payer failed lately: a wallet that says yes to us and no to its token burns our gas. */
  async #isPaused({ payer }: AuthorizedPayment): Promise<boolean> {
    return await this.sender.outbox.hasReverted(payer, new Date(Date.now() - revertPauseMs));
  }

  /**
   * What became of a payment with one of its transactions; undefined while that is not mined.
   * @throws ChainUnavailableError
   */
  async #settledBy(payment: AuthorizedPayment, row: PaymentRow, hash: string): Promise<Learned | undefined> {
    const settled = await this.ledger.mined(payment, hex32Schema.parse(hash));
    if (settled !== null) return settled;
    const outcome = await this.ledger.outcome(payment, BigInt(row.from_block));
    // Somebody else's submission of the same payment makes ours fail as well, and so does a block that comes too late:
    // neither is the payer's doing.
    const isHis =
      outcome.status === "unused" || (outcome.status === "void" && outcome.reason === "already_used");
    if (isHis) await this.sender.outbox.reverted(hash);
    return outcome.status === "settled" || outcome.status === "void" ? outcome : { status: "unconfirmed" };
  }

  /** Waits for the payment's transaction, or one that replaced it meanwhile. @throws ChainUnavailableError */
  async #await(payment: AuthorizedPayment, row: PaymentRow): Promise<Settlement> {
    const until = Date.now() + this.options.confirmMs;
    for (;;) {
      for (const { hash } of await this.sender.outbox.ofPayment(payment.id)) {
        const settlement = await this.#settledBy(payment, row, hash);
        if (settlement === undefined) continue;
        await this.sender.step("mined");
        return settlement;
      }
      if (Date.now() >= until) return await this.learn(row);
      await sleep(pollMs);
    }
  }
}
