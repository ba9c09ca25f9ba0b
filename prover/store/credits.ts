import { type Kysely, sql, type Transaction } from "kysely";
import type { Hex } from "viem";
import { hex32Schema } from "@/lib/proofs/hex";
import { change } from "./change";
import { attended } from "./instances";
import type { PaymentRow } from "./payments";
import type { ProverSchema } from "./schema";
import { NothingOwedError, type Owed } from "./transfers";

/** A credit that can replace a payment: the payer's, in the same token, of at least the price. */
export interface CreditWanted {
  payer: string;
  network: string;
  asset: string;
  circuit: string;
  /** Atomic units, decimal. */
  amount: string;
}

/** Settled payments without a proof, and what their payers can do with them. */
export class Credits {
  constructor(readonly db: Kysely<ProverSchema>) {}

  /**
   * Turns settled payments whose proofs are late into credits. One that is being made redeems its credit when it is done;
   * until then, nobody can spend that credit.
   * @param before latest time of settlement
   * @returns how many
   */
  async recordLate(before: Date): Promise<number> {
    const late = await this.db
      .selectFrom("payment")
      .select("id")
      .where("state", "=", "settled")
      .where("settled_at", "<", before)
      .limit(500)
      .execute();
    for (const { id } of late) {
      await this.db.transaction().execute((trx) => change(trx, id, { type: "given-up" }, {}));
    }
    return late.length;
  }

  /** Returns open credits, oldest first. */
  async owed() {
    return await this.db
      .selectFrom("credit")
      .innerJoin("payment", "payment.id", "credit.payment_id")
      .select(["payment.id", "credit.created_at", "credit.payer", "credit.network", "credit.amount"])
      .select("payment.circuit")
      .where("credit.redeemed_at", "is", null)
      .orderBy("credit.created_at")
      .orderBy("payment.id")
      .execute();
  }

  /**
   * Returns what a credit is worth, and keeps it from making a proof until `db`, if a transaction, ends.
   * @throws NothingOwedError
   */
  async refundable(db: Kysely<ProverSchema>, id: string): Promise<Owed> {
    const row = await db
      .selectFrom("payment")
      .selectAll()
      .select(attended().as("owned"))
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new NothingOwedError("there is no such payment");
    if (row.state !== "credited") throw new NothingOwedError(`that payment is ${row.state}, not credited`);
    if (row.owned) throw new NothingOwedError("that credit is being used for a proof right now");
    return { id, chainId: Number(row.chain_id), asset: row.asset, payee: row.payer, amount: row.amount };
  }

  /** Ends a credit's claim to a proof, to refund it. */
  async refund(trx: Transaction<ProverSchema>, id: string): Promise<void> {
    await change(trx, id, { type: "refunded" }, {});
  }

  /** The refund of a credit failed on chain. */
  async owedAgain(trx: Transaction<ProverSchema>, id: string): Promise<void> {
    await change(trx, id, { type: "refund-failed" }, {});
  }

  /** Returns the credited payment that a signed authorization used instead of being charged. */
  async standsFor(authorizationId: Hex): Promise<Hex | undefined> {
    const used = await this.db
      .selectFrom("credit_use")
      .select("payment_id")
      .where("authorization_id", "=", authorizationId)
      .executeTakeFirst();
    return used && hex32Schema.parse(used.payment_id);
  }

  /** Whether a payer has a credit that buys this circuit at this price. */
  async hasCredit(wanted: CreditWanted): Promise<boolean> {
    return (await this.#credit(this.db, wanted).executeTakeFirst()) !== undefined;
  }

  /**
   * Binds a payer's oldest credit to new inputs instead of charging an authorization. Concurrent calls get different
   * credits, or none.
   * @returns the credited payment, now owned by `owner`
   */
  async spend(
    wanted: CreditWanted,
    use: { authorizationId: Hex; inputHash: Hex; identifierHash?: Hex; owner: string },
  ): Promise<PaymentRow | undefined> {
    return await this.db.transaction().execute(async (trx) => {
      const credit = await this.#credit(trx, wanted).forUpdate("payment").skipLocked().executeTakeFirst();
      if (!credit) return undefined;
      await trx
        .insertInto("credit_use")
        .values({ authorization_id: use.authorizationId, payment_id: credit.id, used_at: new Date() })
        .execute();
      return await trx
        .updateTable("payment")
        .set({
          ...{ owner: use.owner, input_hash: use.inputHash, identifier_hash: use.identifierHash ?? null },
          ...{ queued_at: null, progress: null },
        })
        .where("id", "=", credit.id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /**
   * Binds a credit that no one works on to new inputs of the same circuit.
   * @returns whether that was possible
   */
  async rebind(id: Hex, circuit: string, inputHash: Hex): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable("payment")
      .set({ input_hash: inputHash, progress: null })
      .where("id", "=", id)
      .where("state", "=", "credited")
      .where("circuit", "=", circuit)
      .where((eb) => eb.not(attended()))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  #credit(
    db: Kysely<ProverSchema> | Transaction<ProverSchema>,
    { payer, network, asset, circuit, amount }: CreditWanted,
  ) {
    return db
      .selectFrom("payment")
      .select("payment.id")
      .where("state", "=", "credited")
      .where("payer", "=", payer)
      .where("network", "=", network)
      .where("asset", "=", asset)
      .where("circuit", "=", circuit)
      .where(sql<boolean>`amount::numeric >= ${amount}::numeric`)
      .where((eb) => eb.not(attended()))
      .orderBy("created_at")
      .orderBy("id")
      .limit(1);
  }
}

/** The part that admission uses. */
export type CreditStore = Pick<Credits, "standsFor" | "hasCredit" | "spend" | "rebind">;
