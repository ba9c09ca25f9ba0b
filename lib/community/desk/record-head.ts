import { sql } from "kysely";
import { type Hex, isAddressEqual, zeroHash } from "viem";
import type { Trx } from "@/db/schema";
import type { Call } from "@/lib/chain/journal";
import { type Recorder, recordCall } from "@/lib/chain/recorder";
import type { Mined } from "@/lib/chain/sender";
import type { Context } from "@/lib/context";
import type { RecordedHead } from "@/lib/contract/desk";
import { recordDay } from "@/lib/policy/record";
import { contentHashOf, postIdHashOf, recordIn } from "@/lib/proofs/records";

/** What names the log in a record, where the id of a post names a post. */
const LOG_NAME = "installation log";
interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** Returns the hash that a record stores of a head: that of `seq:hash`, the form in which readers keep one. */
function headHash({ seq, hash }: Head): Hex {
  return contentHashOf(`${seq}:${hash}`);
}

function callOf({ board }: Recorder, head: Head): Call {
  return recordCall(board, {
    postIdHash: postIdHashOf(LOG_NAME),
    contentHash: headHash(head),
    // Nobody wrote the log, and no member asked for its record.
    authorHash: zeroHash,
    recorderHash: zeroHash,
  });
}

/**
 * Records the head of the installation's log on the chain, once a UTC day in which it grew, by whichever process comes
 * first. The row of the day and the signed transaction are written together, as for records of posts; the sweep of
 * records settles it (records/settle.ts).
 * @throws ChainUnavailableError; the next round tries again
 */
export async function recordLogHead({
  db,
  recorder,
  now,
}: Pick<Context, "db" | "recorder" | "now">): Promise<void> {
  if (!recorder) return;
  const at = now();
  const { rows } = await sql<Head>`select seq, hash from installation_log_head where seq > 0 and not exists (
    select from installation_log_records r where r.status <> 'failed'
      and (r.day = ${recordDay(at)}::date or r.seq = installation_log_head.seq))`.execute(db);
  const [head] = rows;
  if (!head) return;
  const call = callOf(recorder, head);
  const prepared = await recorder.sender.prepare(await recorder.sender.quote(call));
  const transactionId = await db.transaction().execute(async (trx) => {
    const written = { seq: head.seq, hash: head.hash, status: "sent", tx_hash: null } as const;
    const reserved = await trx
      .insertInto("installation_log_records")
      .values({ day: recordDay(at), ...written })
      // Another process was first, unless its transaction failed.
      .onConflict((conflict) =>
        conflict.column("day").doUpdateSet(written).where("installation_log_records.status", "=", "failed"),
      )
      .returning("seq")
      .executeTakeFirst();
    if (!reserved) return null;
    const id = await recorder.sender.append(trx, call, prepared);
    await trx
      .updateTable("installation_log_records")
      .set({ transaction_id: id })
      .where("day", "=", sql<never>`${recordDay(at)}::date`)
      .execute();
    return id;
  });
  if (transactionId) await recorder.sender.broadcast(transactionId);
}

/** Settles the record of a head once its transaction is mined. Does nothing for the transaction of a post's record. */
export async function settleLogHead(
  trx: Trx,
  { board, sender }: Recorder,
  { id, receipt, hash }: Mined,
): Promise<void> {
  const head = await trx
    .selectFrom("installation_log_records")
    .select(["seq", "hash"])
    .where("transaction_id", "=", id)
    .executeTakeFirst();
  if (!head) return;
  const found = receipt && recordIn(receipt, { board, postIdHash: postIdHashOf(LOG_NAME) });
  const isRecorded =
    found?.contentHash === headHash(head) && isAddressEqual(found.sender, sender.wallet.address);
  await trx
    .updateTable("installation_log_records")
    .set(isRecorded ? { status: "confirmed", tx_hash: hash } : { status: "failed" })
    .where("transaction_id", "=", id)
    .execute();
}

/** Returns the newest head that is on the chain; null for none. */
export async function latestRecordedHead({
  db,
  deployment: { recordBoard },
}: Pick<Context, "db" | "deployment">): Promise<RecordedHead | null> {
  const row = await db
    .selectFrom("installation_log_records")
    .select(["seq", "hash", "tx_hash"])
    .where("status", "=", "confirmed")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row?.tx_hash || !recordBoard) return null;
  return {
    seq: row.seq,
    hash: row.hash,
    chainId: recordBoard.chainId,
    board: recordBoard.address,
    txHash: row.tx_hash,
  };
}
