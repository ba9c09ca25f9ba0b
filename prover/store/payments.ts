import {
  type Insertable,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from "kysely";
import type { Hex } from "viem";
import { z } from "zod";
import { hex32Schema, hexSchema } from "@/lib/proofs/hex";
import { timingSchema } from "@/lib/proofs/wire";
import { type PaymentEvent, settlementEvent } from "../jobs/state";
import type { Settled, Void } from "../payment/settlement";
import { change } from "./change";
import { attended, lives } from "./instances";
import { jobToken, jobTokenHash } from "./job-token";
import { type Claim, mayOpen } from "./open-payments";
import type { PaymentTable, ProverSchema } from "./schema";

export type PaymentRow = Selectable<PaymentTable>;
/** What a payment begins with. */
const untouched = {
  state: "accepted",
  queue_job: null,
  log_index: null,
  proof: null,
  public_inputs: null,
  timing: null,
  progress: null,
} as const;
export type NewPayment = Omit<
  Insertable<PaymentTable>,
  keyof typeof untouched | "failures" | "job_token_hash" | "created_at" | "owner"
>;
/** A payment, and whether somebody makes its proof. */
export interface Found {
  row: PaymentRow;
  /** A living process works on it, or it waits in the queue. */
  owned: boolean;
}

const storedProofSchema = z.object({
  proof: hexSchema,
  publicInputs: z.array(hex32Schema),
  timing: timingSchema,
});
/** A proof as it is stored for redelivery. */
export type StoredProof = z.output<typeof storedProofSchema>;

/** The payments of this installation. Every change of state is one transaction through the state machine. */
export class Payments {
  /** @param secret key of the job tokens: the same for all processes of one database */
  constructor(
    readonly db: Kysely<ProverSchema>,
    readonly secret: Uint8Array,
  ) {}

  async find(id: Hex): Promise<Found | undefined> {
    return await this.#findBy("id", id);
  }

  /** Finds the payment of a purchase by its `identifierHash`. */
  async findPurchase(identifierHash: Hex): Promise<Found | undefined> {
    return await this.#findBy("identifier_hash", identifierHash);
  }

  async findByToken(token: string): Promise<Found | undefined> {
    return await this.#findBy("job_token_hash", jobTokenHash(token));
  }

  /**
   * Returns the token that reads a payment's job, the same for each resend. It replaces the token of an earlier release,
   * and the token of earlier inputs.
   */
  async tokenOf(row: Pick<PaymentRow, "id" | "input_hash" | "job_token_hash">): Promise<string> {
    const { id, input_hash } = row;
    const token = jobToken(this.secret, id, input_hash);
    const job_token_hash = jobTokenHash(token);
    if (job_token_hash !== row.job_token_hash) {
      await this.db
        .updateTable("payment")
        .set({ job_token_hash })
        .where("id", "=", id)
        .where("input_hash", "=", input_hash)
        .execute();
    }
    return token;
  }

  /** Returns payments whose settlement is neither confirmed nor impossible. */
  async open(): Promise<PaymentRow[]> {
    return await this.db
      .selectFrom("payment")
      .selectAll()
      .where("state", "in", ["accepted", "settling"])
      .orderBy("created_at")
      .execute();
  }

  /** Returns whether a payer may have one more payment in progress; `accept` checks again, under a lock. */
  async mayOpen(claim: Claim): Promise<boolean> {
    return await mayOpen(this.db, claim);
  }

  /**
   * Stores a verified payment, bound to its circuit and inputs. Replaces a void one of the same id, which was never
   * charged.
   * @param owner process that works on it from now on
   * @returns the current row, which is another request's when that one was first, and another payment's when that one
   *   pays for the same purchase; undefined when the payer has too many payments in progress, or they leave too little of
   *   its balance
   */
  async accept({ balance, ...payment }: NewPayment & Claim, owner: string): Promise<PaymentRow | undefined> {
    const row: Insertable<PaymentTable> = {
      ...payment,
      ...untouched,
      job_token_hash: jobTokenHash(jobToken(this.secret, payment.id, payment.input_hash)),
      created_at: new Date(),
      tx_hash: payment.tx_hash ?? null,
      owner,
    };
    return await this.db.transaction().execute(async (trx) => {
      // Payments of one payer are counted one at a time, across processes.
      await sql`select pg_advisory_xact_lock(hashtextextended(${payment.payer}, 0))`.execute(trx);
      const first = await trx
        .selectFrom("payment")
        .selectAll()
        .where((eb) =>
          eb.or([eb("id", "=", payment.id), eb("identifier_hash", "=", payment.identifier_hash ?? null)]),
        )
        .where("state", "!=", "void")
        .executeTakeFirst();
      if (first) return first;
      if (!(await mayOpen(trx, { ...payment, balance }))) return undefined;
      return await trx
        .insertInto("payment")
        .values(row)
        .onConflict((oc) => oc.column("id").doUpdateSet(row))
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /**
   * Makes a process the owner of a payment that no other living process works on and that is not in the queue.
   * @returns undefined when it is neither
   */
  async claim(id: Hex, owner: string): Promise<PaymentRow | undefined> {
    return await this.db
      .updateTable("payment")
      .set({ owner, progress: null })
      .where("id", "=", id)
      .where("state", "not in", ["proven", "refunded", "void"])
      .where("queued_at", "is", null)
      .where((eb) => eb.or([eb("owner", "=", owner), eb.not(lives("payment.owner"))]))
      .returningAll()
      .executeTakeFirst();
  }

  /**
   * Marks a paid payment as waiting in the queue.
   * @param job its job there
   * @param send adds the job, in the same transaction
   * @returns false when `owner` does not own it any more
   */
  async enqueue(
    id: Hex,
    owner: string,
    job: string,
    send: (trx: Transaction<ProverSchema>) => Promise<void>,
  ): Promise<boolean> {
    return await this.db.transaction().execute(async (trx) => {
      const marked = await trx
        .updateTable("payment")
        .set({ queue_job: job, queued_at: sql<Date>`clock_timestamp()` })
        .where("id", "=", id)
        .where("owner", "=", owner)
        .executeTakeFirst();
      if (marked.numUpdatedRows === 0n) return false;
      await send(trx);
      return true;
    });
  }

  /** Makes a process the owner of the payment of a job. @returns undefined when it does not wait for this job */
  async take(job: string, owner: string): Promise<PaymentRow | undefined> {
    return await this.db
      .updateTable("payment")
      .set({ owner, queued_at: null, progress: null })
      .where("queue_job", "=", job)
      .where("queued_at", "is not", null)
      .where("state", "in", ["settled", "credited"])
      .returningAll()
      .executeTakeFirst();
  }

  /** Ends the wait of a payment whose job nobody can do: its client has to send it again. */
  async unqueue(job: string): Promise<void> {
    await this.db
      .updateTable("payment")
      .set({ owner: null, queued_at: null, progress: null })
      .where("queue_job", "=", job)
      .where("queued_at", "is not", null)
      .execute();
  }

  /**
   * Takes a payment from its owner.
   * @param queued whether its job is in the queue; otherwise its client has to send it again
   */
  async release(id: Hex, owner: string, queued: boolean): Promise<void> {
    const queued_at = queued ? sql<Date>`coalesce(queued_at, clock_timestamp())` : null;
    await this.db
      .updateTable("payment")
      .set({ owner: null, progress: null, queued_at })
      .where("id", "=", id)
      .where("owner", "=", owner)
      .execute();
  }

  /** Paid payments that wait in the queue, and those whose owner died before it made the proof. */
  async unfinished(): Promise<PaymentRow[]> {
    return await this.db
      .selectFrom("payment")
      .selectAll()
      .where("state", "in", ["settled", "credited"])
      .where((eb) =>
        eb.or([
          eb("queued_at", "is not", null),
          eb.and([eb("owner", "is not", null), eb.not(lives("payment.owner"))]),
        ]),
      )
      .execute();
  }

  /** Updates a payment of this process; does nothing when another process has it now. */
  async note(
    id: Hex,
    owner: string,
    fields: Pick<Updateable<PaymentTable>, "progress" | "owner">,
  ): Promise<void> {
    await this.db
      .updateTable("payment")
      .set(fields)
      .where("id", "=", id)
      .where("owner", "=", owner)
      .execute();
  }

  /** Returns the number of proofs that wait ahead of this one. */
  async ahead({ id }: Pick<PaymentRow, "id">): Promise<number> {
    const { count } = await this.db
      .selectFrom("payment")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      // The database compares its own times: a Date has milliseconds only, and would skip those of the same one.
      .where("queued_at", "<", ({ selectFrom }) =>
        selectFrom("payment as own").select("own.queued_at").where("own.id", "=", id),
      )
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Applies an event. A payment that becomes `credited` gets a credit; a later proof redeems it. */
  async apply(id: Hex, event: PaymentEvent): Promise<PaymentRow> {
    return await this.#change(id, event, {});
  }

  /**
   * Records the outcome of a settlement. One transfer settles one payment: a payment that names another's transfer
   * becomes void.
   */
  async settle(id: Hex, outcome: Settled | Void): Promise<PaymentRow> {
    try {
      return await this.apply(id, settlementEvent(outcome));
    } catch (error) {
      if (!isTakenTransfer(error)) throw error;
      return await this.apply(id, { type: "voided" });
    }
  }

  /** Stores a checked proof, marks the payment proven and releases it, in one transaction. */
  async deliver(id: Hex, { proof, publicInputs, timing }: StoredProof): Promise<PaymentRow> {
    return await this.#change(
      id,
      { type: "proof-made" },
      {
        proof,
        public_inputs: JSON.stringify(publicInputs),
        timing: JSON.stringify(timing),
        proven_at: new Date(),
        owner: null,
        queued_at: null,
        progress: null,
      },
    );
  }

  /**
   * Records that a client gets the proof, just before it does.
   * @returns false when the proof was deleted meanwhile: it is owed then, and must not be given as well
   */
  async markDelivered(id: Hex): Promise<boolean> {
    const delivered = await this.db
      .updateTable("payment")
      .set((eb) => ({ delivered_at: eb.fn.coalesce("delivered_at", eb.val(new Date())) }))
      .where("id", "=", id)
      .where("proof", "is not", null)
      .executeTakeFirst();
    return delivered.numUpdatedRows > 0n;
  }

  /**
   * Deletes proofs made before a moment; the payments stay. A proof that was never fetched becomes a credit.
   * @returns the number of proofs
   */
  async removeProofs(before: Date): Promise<number> {
    const old = await this.db
      .selectFrom("payment")
      .select(["id", "delivered_at"])
      .where("proof", "is not", null)
      .where("proven_at", "<", before)
      .limit(500)
      .execute();
    for (const { id, delivered_at } of old) {
      await this.#change(
        hex32Schema.parse(id),
        { type: "proof-removed", delivered: delivered_at !== null },
        { proof: null, public_inputs: null, timing: null },
      );
    }
    return old.length;
  }

  async #findBy(
    column: "id" | "job_token_hash" | "identifier_hash",
    value: string,
  ): Promise<Found | undefined> {
    const found = await this.db
      .selectFrom("payment")
      .selectAll()
      .select(attended().as("owned"))
      .where(column, "=", value)
      .executeTakeFirst();
    if (!found) return undefined;
    const { owned, ...row } = found;
    return { row, owned };
  }

  async #change(id: Hex, event: PaymentEvent, fields: Updateable<PaymentTable>): Promise<PaymentRow> {
    return await this.db.transaction().execute((trx) => change(trx, id, event, fields));
  }
}

/** Returns whether the database refused a second payment with one transfer (SQLSTATE unique_violation). */
function isTakenTransfer(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "23505" &&
    "constraint" in error &&
    error.constraint === "payment_transfer"
  );
}

/** The part of Payments that the rest of the prover uses. */
export type PaymentStore = Omit<Payments, "db" | "secret">;

/** Returns the proof of a proven payment; undefined for any other, and for one whose proof was deleted. */
export function storedProof(row: PaymentRow): StoredProof | undefined {
  if (row.proof === null || row.public_inputs === null || row.timing === null) return undefined;
  return storedProofSchema.parse({
    proof: row.proof,
    publicInputs: JSON.parse(row.public_inputs),
    timing: JSON.parse(row.timing),
  });
}
