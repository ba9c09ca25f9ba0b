import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { type PaymentOffer, paymentOfferSchema } from "@/lib/proofs/deployment";
import type { ProverSchema } from "./schema";

/**
 * All price lists of this installation. A payment is compared with the list its payer was shown, and transfers to earlier
 * recipients are still searched for, so that a new price loses no one's money.
 */
export class Prices {
  constructor(readonly db: Kysely<ProverSchema>) {}

  /** Records that these offers are current. @returns the list's id, the same for the same offers */
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

  /** Returns the offers of a list; none for an unknown id. */
  async offers(id: number): Promise<PaymentOffer[]> {
    const row = await this.db
      .selectFrom("price_list")
      .select("offers")
      .where("id", "=", id)
      .executeTakeFirst();
    return row ? readOffers(row.offers) : [];
  }

  /** Returns all offers that were current since a time, newest list first. */
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
