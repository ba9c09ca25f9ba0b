import type { Selectable, Transaction, Updateable } from "kysely";
import { type PaymentEvent, reduce } from "../jobs/state";
import type { PaymentTable, ProverSchema } from "./schema";

type Row = Selectable<PaymentTable>;

/**
 * Applies an event to a payment within a transaction, with the credit that it creates or redeems.
 * @param fields what else changes in the row
 */
export async function change(
  trx: Transaction<ProverSchema>,
  id: string,
  event: PaymentEvent,
  fields: Updateable<PaymentTable>,
): Promise<Row> {
  const row = await trx
    .selectFrom("payment")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { state, failures, tx_hash, log_index } = row;
  const after = reduce({ state, failures, transaction: tx_hash, logIndex: log_index }, event);
  await settleCredit(trx, row, after.state);
  const wasPaid = row.settled_at !== null;
  // A second proof of the same payment changes nothing.
  const kept = event.type === "proof-made" && state === "proven" && row.proof !== null;
  return await trx
    .updateTable("payment")
    .set({
      ...(kept ? { owner: null, queued_at: null, progress: null } : fields),
      state: after.state,
      failures: after.failures,
      tx_hash: after.transaction,
      log_index: after.logIndex,
      // A purchase that was not charged may be paid by another authorization, also if this one is on chain after all.
      identifier_hash: after.state === "void" ? null : row.identifier_hash,
      settled_at: event.type === "settled" && !wasPaid ? new Date() : row.settled_at,
    })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Creates the credit of a payment that becomes credited, and redeems it when the payment is proven or refunded. */
async function settleCredit(trx: Transaction<ProverSchema>, row: Row, after: Row["state"]): Promise<void> {
  const created_at = new Date();
  if (after === "credited" && row.state !== "credited") {
    const { id, payer, network, asset, amount } = row;
    await trx
      .insertInto("credit")
      .values({ payment_id: id, payer, network, asset, amount, created_at })
      .onConflict((oc) => oc.column("payment_id").doUpdateSet({ created_at, redeemed_at: null }))
      .execute();
  }
  if ((after === "proven" || after === "refunded") && row.state === "credited") {
    await trx
      .updateTable("credit")
      .set({ redeemed_at: created_at })
      .where("payment_id", "=", row.id)
      .execute();
  }
}
