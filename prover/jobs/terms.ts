import { type Hex } from "viem";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { addressSchema } from "@/lib/proofs/hex";
import type { Observer } from "../observer";
import { matchOffer, type PaymentRequest } from "../payment/payment";
import type { PaymentRefusal } from "../payment/settlement";
import type { Settlers } from "../payment/settler";
import { refusals } from "../refusal";
import { offerSeconds } from "../seller/seller";
import { type Nonces, nonceLifetimeMs } from "../store/nonces";
import type { PaymentRow } from "../store/payments";
import type { Prices } from "../store/prices";
import { type Method, methodOf } from "./method";
import { paymentRefusal } from "./refusals";

/** How long the price that was asked for an authorization binds us. */
const signingTimeMs = offerSeconds * 1000;

/** A payment and the nonce of the challenge that asked for it. */
interface Asked {
  payment: PaymentRequest;
  nonce?: Hex;
}

export interface TermsDependencies {
  /** Today's. */
  offers: readonly PaymentOffer[];
  settlers: Settlers;
  prices: Pick<Prices, "offers" | "since">;
  nonces: Pick<Nonces, "asked">;
  observer: Observer;
}

/** Finds what a payment was asked to be. */
export class Terms {
  constructor(readonly deps: TermsDependencies) {}

  /**
   * Finds the offer that a payment is for: today's, or the one its payer was asked for.
   * @param earlier the payment, if it is stored
   * @throws ProverRefusal 402 if it is for none; 503 if it was stored under an offer that cannot be settled any more
   */
  async match(request: Asked, earlier?: PaymentRow): Promise<Method> {
    let reason: PaymentRefusal = "wrong_network";
    for await (const offers of earlier ? this.#termsOf(earlier) : this.#asked(request)) {
      const match = matchOffer(request.payment, offers);
      const method =
        "payment" in match ? methodOf(match.payment, this.deps.settlers, this.deps.observer) : undefined;
      if (method) return method;
      // The first that fits better than another network.
      if ("reason" in match && reason === "wrong_network") reason = match.reason;
    }
    if (!earlier) throw paymentRefusal(reason);
    // Stored under an offer that can no longer be settled: the books learn what becomes of it.
    throw refusals.unconfirmed();
  }

  /**
   * Yields what may have been asked of the payer: the price list of the nonce, while it is binding, today's, and those
   * whose signed offers are still valid.
   */
  async *#asked({ payment, nonce }: Asked): AsyncGenerator<readonly PaymentOffer[]> {
    const { nonces, prices, offers } = this.deps;
    const asked = nonce && nonces.asked(nonce);
    // A transfer has moved the money already; an authorization signed long after its price was asked can be signed again.
    const binds = asked && (payment.kind === "transaction" || Date.now() - asked.at < signingTimeMs);
    if (binds) yield await prices.offers(asked.priceList);
    yield offers;
    if (payment.kind === "transaction") return;
    for (const offer of await prices.since(new Date(Date.now() - signingTimeMs))) yield [offer];
  }

  /** Returns the terms under which a payment was stored, in the offers that may have been meant. */
  async *#termsOf(row: PaymentRow): AsyncGenerator<readonly PaymentOffer[]> {
    const recent = await this.deps.prices.since(new Date(row.created_at.getTime() - nonceLifetimeMs));
    const payTo = addressSchema.parse(row.pay_to);
    for (const offer of [...this.deps.offers, ...recent]) {
      const { network, asset, settlement, transactions } = offer;
      const sameWay = row.settlement === "transaction" ? transactions : settlement === row.settlement;
      if (sameWay && network === row.network && asset === row.asset) {
        yield [{ ...offer, payTo, amount: row.amount }];
      }
    }
  }
}
