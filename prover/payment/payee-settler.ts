import { hex32Schema } from "@/lib/proofs/hex";
import type { PaymentRow } from "../store/payments";
import { transferCall } from "./calls";
import { type Checked, checkPayment } from "./checks";
import type { Ledger } from "./ledger";
import type { AuthorizedPayment } from "./payment";
import type { Sender } from "./sender";
import type { Learned, OwnSettler, Settlement } from "./settler";

export interface PayeeSettlerOptions {
  /** Chains that offers with payee settlement are on. */
  chainIds: readonly number[];
  /** How long a broadcast transaction is awaited before the client is asked to come back. */
  confirmMs: number;
}

const pollMs = 250;

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
    return await checkPayment(payment, this.ledger, BigInt(Math.floor(Date.now() / 1000)));
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
      }
      const payerHasCode = await this.ledger.hasCode(payment.chainId, payment.payer);
      const data = transferCall(payment, payerHasCode);
      await this.sender.send(payment.id, payment.chainId, { to: payment.asset, data });
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
    try {
      const balances = await Promise.all(
        this.options.chainIds.map((chainId) => this.sender.balance(chainId)),
      );
      return balances.every((balance) => balance > 0n);
    } catch {
      return false;
    }
  }

  /** Waits for the payment's transaction, or one that replaced it meanwhile. @throws ChainUnavailableError */
  async #await(payment: AuthorizedPayment, row: PaymentRow): Promise<Settlement> {
    const until = Date.now() + this.options.confirmMs;
    for (;;) {
      for (const { hash } of await this.sender.outbox.ofPayment(payment.id)) {
        const transaction = hex32Schema.parse(hash);
        const settled = await this.ledger.mined(payment, transaction);
        if (settled === undefined) continue;
        await this.sender.step("mined");
        return settled ?? (await this.learn(row));
      }
      if (Date.now() >= until) return await this.learn(row);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}
