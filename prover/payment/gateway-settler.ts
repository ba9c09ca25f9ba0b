import { setTimeout as sleep } from "node:timers/promises";
import { GATEWAY_AUTH_VALIDITY_WINDOW_SECONDS } from "@circle-fin/x402-batching";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";
import type { PaymentRow } from "../store/payments";
import { type Checked, checkTime, keySigned, nowSeconds } from "./checks";
import type { Gateway, TransferFacts } from "./gateway";
import type { AuthorizedPayment } from "./payment";
import type { Learned, Settlement } from "./settlement";
import type { Settler } from "./settler";

export interface GatewaySettlerOptions {
  offers: readonly PaymentOffer[];
  /** How long the prover looks for an unknown outcome before it asks the client to come back. */
  reconcileMs: number;
}

/** The package's window includes its allowance for transit; the rest is the gateway's minimum. */
const allowanceSeconds = 100;
const minimumSeconds = BigInt(GATEWAY_AUTH_VALIDITY_WINDOW_SECONDS - allowanceSeconds);
/** Clocks differ: an authorization counts as expired this long after its end. */
const clockMarginSeconds = 60n;
const pollMs = 500;

/**
 * Settles from the payer's deposit with a gateway, which moves the money in batches later. The gateway's list of
 * transfers decides; its answer to a settle request is only a hint to look there.
 */
export class GatewaySettler implements Settler<AuthorizedPayment> {
  constructor(
    readonly gateway: Gateway,
    readonly options: GatewaySettlerOptions,
  ) {}

  async verify(payment: AuthorizedPayment): Promise<Checked> {
    const { payer, amount } = payment;
    const wrongTime = checkTime(payment, minimumSeconds);
    if (wrongTime) return { ok: false, reason: wrongTime };
    if (!(await keySigned(payment))) return { ok: false, reason: "invalid_signature" };
    const transfer = await this.gateway.transfer(factsOf(payment));
    if (transfer?.failed) return { ok: false, reason: "already_used" };
    // Whoever submitted it: a transfer to us that has no proof is owed one.
    if (transfer) {
      const settled = { status: "settled", transaction: transfer.id } as const;
      return { ok: true, block: 0n, payer, amount, balance: null, settled };
    }
    const balance = await this.gateway.balance(payment.chainId, payer);
    if (balance < amount) return { ok: false, reason: "insufficient_deposit" };
    return { ok: true, block: 0n, payer, amount, balance };
  }

  async settle(payment: AuthorizedPayment, row: PaymentRow): Promise<Settlement> {
    // An earlier attempt may have worked although we got no answer, and a second settle would only be refused.
    if (row.state === "settling") {
      const earlier = await this.learn(row);
      if (earlier.status !== "unconfirmed") return earlier;
    }
    const { payload, offer } = payment;
    const accepted = await this.gateway.verify(payload, offer).catch(() => undefined);
    if (!accepted) {
      const outcome = await this.learn(row);
      if (outcome.status !== "unconfirmed" || accepted === undefined) return outcome;
      return { status: "refused", reason: "refused_by_gateway" };
    }
    await this.gateway.settle(payload, offer).catch(() => undefined);
    const until = Date.now() + this.options.reconcileMs;
    for (;;) {
      const settlement = await this.learn(row);
      if (settlement.status !== "unconfirmed" || Date.now() >= until) return settlement;
      await sleep(pollMs);
    }
  }

  async learn(row: PaymentRow): Promise<Learned> {
    try {
      const transfer = await this.gateway.transfer(factsOfRow(row));
      if (transfer) {
        return transfer.failed
          ? { status: "void", reason: "refused_by_gateway" }
          : { status: "settled", transaction: transfer.id };
      }
      if (nowSeconds() > BigInt(row.valid_before ?? 0) + clockMarginSeconds) {
        return { status: "void", reason: "expired" };
      }
    } catch {
      // Unknown stays unknown.
    }
    return { status: "unconfirmed" };
  }

  async isReachable(): Promise<boolean> {
    const served = await Promise.all(this.options.offers.map((offer) => this.gateway.serves(offer)));
    return served.every(Boolean);
  }
}

function factsOf({ offer, payer, payTo, amount, nonce }: AuthorizedPayment): TransferFacts {
  return { network: offer.network, payer, payTo, amount, nonce };
}

/** @throws ZodError for the row of another kind of payment */
function factsOfRow(row: PaymentRow): TransferFacts {
  return {
    network: row.network,
    payer: addressSchema.parse(row.payer),
    payTo: addressSchema.parse(row.pay_to),
    amount: BigInt(row.amount),
    nonce: hex32Schema.parse(row.authorization_nonce),
  };
}
