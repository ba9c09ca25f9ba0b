import { randomBytes } from "node:crypto";
import type { Insertable, Kysely, Selectable, Updateable } from "kysely";
import type { Hex } from "viem";
import { z } from "zod";
import { hex32Schema, hexSchema } from "@/lib/proofs/hex";
import { timingSchema } from "@/lib/proofs/wire";
import { type PaymentEvent, type PaymentProgress, reduce } from "../jobs/state";
import type { PaymentTable, ProverSchema } from "./schema";

export type PaymentRow = Selectable<PaymentTable>;
export type NewPayment = Omit<
  Insertable<PaymentTable>,
  | "state"
  | "failures"
  | "job_token"
  | "created_at"
  | "tx_hash"
  | "raw_transaction"
  | "proof"
  | "public_inputs"
  | "timing"
>;

const storedProofSchema = z.object({
  proof: hexSchema,
  publicInputs: z.array(hex32Schema),
  timing: timingSchema,
});
/** A proof as it is kept for redelivery. */
export type StoredProof = z.output<typeof storedProofSchema>;

/** The payments of this installation: every change of state is one transaction through the state machine. */
export class Payments {
  constructor(readonly db: Kysely<ProverSchema>) {}

  async find(id: Hex): Promise<PaymentRow | undefined> {
    return await this.db.selectFrom("payment").selectAll().where("id", "=", id).executeTakeFirst();
  }

  async findByToken(token: string): Promise<PaymentRow | undefined> {
    return await this.db.selectFrom("payment").selectAll().where("job_token", "=", token).executeTakeFirst();
  }

  /** Our own settlements whose outcome is not known: what a restart must look after first. */
  async unconfirmedOwn(): Promise<PaymentRow[]> {
    return await this.db
      .selectFrom("payment")
      .selectAll()
      .where("state", "=", "settling")
      .where("raw_transaction", "is not", null)
      .orderBy("created_at")
      .execute();
  }

  /** Payments whose settlement is not known to have happened or to be impossible. */
  async open(): Promise<PaymentRow[]> {
    return await this.db
      .selectFrom("payment")
      .selectAll()
      .where("state", "in", ["accepted", "settling"])
      .orderBy("created_at")
      .execute();
  }

  /**
   * Writes a verified payment, with its binding to circuit and inputs. A void one of the same id is bound
   * anew: it was never charged.
   * @returns the row in force, which is another request's when that one was first
   */
  async accept(payment: NewPayment): Promise<PaymentRow> {
    const row: Insertable<PaymentTable> = {
      ...payment,
      state: "accepted",
      job_token: randomBytes(32).toString("base64url"),
      created_at: new Date(),
      tx_hash: null,
      raw_transaction: null,
      proof: null,
      public_inputs: null,
      timing: null,
    };
    await this.db
      .insertInto("payment")
      .values(row)
      .onConflict((oc) => oc.column("id").doUpdateSet(row).where("payment.state", "=", "void"))
      .execute();
    return await this.db
      .selectFrom("payment")
      .selectAll()
      .where("id", "=", payment.id)
      .executeTakeFirstOrThrow();
  }

  /** Applies an event. A payment that becomes `credited` gets its credit, one proven after that redeems it. */
  async apply(id: Hex, event: PaymentEvent): Promise<PaymentRow> {
    return await this.#change(id, event, {});
  }

  /** Stores a checked proof and marks the payment proven, in one step. */
  async deliver(id: Hex, { proof, publicInputs, timing }: StoredProof): Promise<PaymentRow> {
    return await this.#change(
      id,
      { type: "proof-made" },
      {
        proof,
        public_inputs: JSON.stringify(publicInputs),
        timing: JSON.stringify(timing),
        proven_at: new Date(),
      },
    );
  }

  /** Writes our settlement transaction down before it is broadcast. */
  async journal(id: Hex, transaction: { raw: Hex; hash: Hex }): Promise<void> {
    await this.db
      .updateTable("payment")
      .set({ raw_transaction: transaction.raw, tx_hash: transaction.hash })
      .where("id", "=", id)
      .execute();
  }

  async #change(id: Hex, event: PaymentEvent, fields: Updateable<PaymentTable>): Promise<PaymentRow> {
    return await this.db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom("payment")
        .selectAll()
        .where("id", "=", id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const before: PaymentProgress = {
        state: row.state,
        failures: row.failures,
        transaction: hex32Schema.nullable().parse(row.tx_hash),
      };
      const after = reduce(before, event);
      const now = new Date();
      if (after.state === "credited" && row.state !== "credited") {
        const { payer, network, asset, amount } = row;
        await trx
          .insertInto("credit")
          .values({ payment_id: id, payer, network, asset, amount, created_at: now })
          .execute();
      }
      if (after.state === "proven" && row.state === "credited") {
        await trx.updateTable("credit").set({ redeemed_at: now }).where("payment_id", "=", id).execute();
      }
      const wasPaid = row.settled_at !== null;
      return await trx
        .updateTable("payment")
        .set({
          ...(row.state === "proven" ? {} : fields),
          state: after.state,
          failures: after.failures,
          tx_hash: after.transaction,
          settled_at: event.type === "settled" && !wasPaid ? now : row.settled_at,
        })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }
}

/** The proof of a proven payment; undefined for any other. */
export function storedProof(row: PaymentRow): StoredProof | undefined {
  if (row.proof === null || row.public_inputs === null || row.timing === null) return undefined;
  return storedProofSchema.parse({
    proof: row.proof,
    publicInputs: JSON.parse(row.public_inputs),
    timing: JSON.parse(row.timing),
  });
}
