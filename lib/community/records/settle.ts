import { isAddressEqual } from "viem";
import type { Trx } from "@/db/schema";
import type { Recorder } from "@/lib/chain/recorder";
import type { Mined } from "@/lib/chain/sender";
import type { Context } from "@/lib/context";
import { postIdHashOf, recordIn } from "@/lib/proofs/records";
import { settleLogHead } from "../desk/record-head";
import { notify } from "../notifications/notify";
import { write } from "../write";

type Settling = Pick<Context, "changed" | "db" | "live" | "recorder" | "now">;

/**
 * Settles a record once its transaction is mined: confirms and counts it and notifies the post's author or, if the
 * chain shows no such record, marks it as failed, which frees its slot and day. If the post is gone, it only closes the
 * transaction.
 */
export async function settleRecord(ctx: Settling, mined: Mined): Promise<void> {
  const { recorder } = ctx;
  if (!recorder) return;
  const known = await ctx.db
    .selectFrom("records")
    .select("post_id")
    .where("transaction_id", "=", mined.id)
    .executeTakeFirst();
  await write(ctx, async (trx, effects) => {
    const post = known && (await lockRecordedPost(trx, known.post_id));
    if (!(await recorder.sender.journal.close(mined, trx))) return;
    if (!known) await settleLogHead(trx, recorder, mined);
    const record = post && (await recordOf(trx, mined.id));
    // A failed record stays failed, even if a reorganization puts it on the chain: its slot may be in use again.
    if (record && record.status !== "failed") {
      const now = ctx.now();
      const proven = isOnChain(recorder, mined, record);
      if (!proven) await fail(trx, record);
      else if (record.status === "confirmed") await move(trx, record, mined);
      else {
        await confirm(trx, record, mined, now);
        if (!post.deleted) {
          const act = { topicId: post.topic_id, actorId: record.recorder_id, now };
          await notify(trx, effects, act, [
            { kind: "post_recorded", to: [post.author_id], postId: record.post_id },
          ]);
        }
      }
    }
    await recorder.sender.step("settling");
  });
  if (known) ctx.changed({ postId: known.post_id });
}

/** Locks the post's row, like every write under a post; undefined if it is gone. */
async function lockRecordedPost(trx: Trx, id: string) {
  return await trx
    .selectFrom("posts")
    .select(["topic_id", "author_id"])
    .select((eb) => eb("deleted_at", "is not", null).as("deleted"))
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

async function recordOf(trx: Trx, transactionId: string) {
  return await trx
    .selectFrom("records")
    .select(["id", "post_id", "recorder_id", "content_hash", "status", "created_at"])
    .where("transaction_id", "=", transactionId)
    .forUpdate()
    .executeTakeFirst();
}
type RecordRow = NonNullable<Awaited<ReturnType<typeof recordOf>>>;

/** Whether the board's own event shows the record: a successful transaction alone proves nothing. */
function isOnChain({ board, sender }: Recorder, { receipt }: Mined, record: RecordRow): boolean {
  const found = receipt && recordIn(receipt, { board, postIdHash: postIdHashOf(record.post_id) });
  if (!found) return false;
  return found.contentHash === record.content_hash && isAddressEqual(found.sender, sender.wallet.address);
}

async function confirm(trx: Trx, record: RecordRow, { hash, blockNumber }: Mined, now: Date): Promise<void> {
  await trx
    .updateTable("records")
    .set({ status: "confirmed", tx_hash: hash, block_number: blockNumber, confirmed_at: now })
    .where("id", "=", record.id)
    .execute();
  await trx
    .updateTable("posts")
    .set((eb) => ({
      record_count: eb("record_count", "+", 1),
      last_recorded_at: eb.fn<Date>("greatest", ["last_recorded_at", eb.val(record.created_at)]),
    }))
    .where("id", "=", record.post_id)
    .execute();
}

/** Moves a confirmed record to another block after a reorganization. */
async function move(trx: Trx, record: RecordRow, { hash, blockNumber }: Mined): Promise<void> {
  await trx
    .updateTable("records")
    .set({ tx_hash: hash, block_number: blockNumber })
    .where("id", "=", record.id)
    .execute();
}

async function fail(trx: Trx, record: RecordRow): Promise<void> {
  await trx
    .updateTable("records")
    .set({ status: "failed", confirmed_at: null })
    .where("id", "=", record.id)
    .execute();
  await trx
    .updateTable("record_days as d")
    .from("records as r")
    .set((eb) => ({ count: eb("d.count", "-", 1) }))
    .where("r.id", "=", record.id)
    .whereRef("d.user_id", "=", "r.recorder_id")
    .whereRef("d.day", "=", "r.day")
    .execute();
  if (record.status !== "confirmed") return;
  await trx
    .updateTable("posts as p")
    .set((eb) => ({
      record_count: eb("record_count", "-", 1),
      last_recorded_at: eb
        .selectFrom("records")
        .select((of) => of.fn.max("created_at").as("at"))
        .where("post_id", "=", record.post_id)
        .where("status", "=", "confirmed"),
    }))
    .where("p.id", "=", record.post_id)
    .execute();
}

/** Settles mined records and sends the others again, of this process and of those that died, once. Does not throw. */
export async function sweepRecords(ctx: Settling): Promise<void> {
  await ctx.recorder?.sender.sweep((mined) => settleRecord(ctx, mined));
}
