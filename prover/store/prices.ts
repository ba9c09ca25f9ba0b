import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { type PaymentOffer, paymentOfferSchema } from "@/lib/proofs/deployment";
import type { ProverSchema } from "./schema";

/**
 * Every price list this installation ever asked. A payment is judged by the list its payer was shown, and transfers to
 * an earlier recipient are still looked for, so that changing a price loses nobody's money.
 */
export class Prices {
  constructor(readonly db: Kysely<ProverSchema>) {}

  /** Notes that these offers are asked now. @returns the list's id, the same for the same offers */
  async enter(offers: readonly PaymentOffer[]): Promise<number> {
    const seen_at = new Date();
    const { id } = await this.db
      .insertInto("price_list")
      .values({ offers: JSON.stringify(offers), seen_at })
      .onConflict((oc) => oc.column("offers").doUpdateSet({ seen_at }))
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  /** The offers of a list; none for an id that is not known. */
  async offers(id: number): Promise<PaymentOffer[]> {
    const row = await this.db
      .selectFrom("price_list")
      .select("offers")
      .where("id", "=", id)
      .executeTakeFirst();
    return row ? readOffers(row.offers) : [];
  }

  /** All offers that were asked since a moment, newest list first. */
  async since(moment: Date): Promise<PaymentOffer[]> {
    const rows = await this.db
      .selectFrom("price_list")
      .select("offers")
      .where("seen_at", ">=", moment)
      .orderBy(sql`seen_at desc, id desc`)
      .execute();
    return rows.flatMap(({ offers }) => readOffers(offers));
  }
}

function readOffers(text: string): PaymentOffer[] {
  return z.array(paymentOfferSchema).parse(JSON.parse(text));
}
