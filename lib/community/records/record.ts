import { setTimeout as sleep } from "node:timers/promises";
import type { Trx } from "@/db/schema";
import type { Call } from "@/lib/chain/journal";
import { type Recorder, recordCall } from "@/lib/chain/recorder";
import { ChainUnavailableError } from "@/lib/chain/sender";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, ResponseBody } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { isRefusal, Refusal } from "@/lib/errors";
import { recordDay } from "@/lib/policy/record";
import { contentHashOf, postIdHashOf } from "@/lib/proofs/records";
import { authorizePost, loadPost, lockPost, type PostRow } from "../posts/load";
import { assertRecordable, recordUsage } from "./rules";
import { settleRecord } from "./settle";

/** A written record, with its transaction. */
interface Reserved {
  readonly id: string;
  readonly transactionId: string;
}

/**
 * POST /api/posts/{postId}/record: records the hash of the content on-chain with the service's wallet. One database
 * transaction writes the day's count, the record and its signed transaction, before anything is sent. If the process
 * dies after that, any process finishes the record (settle.ts).
 * @throws Refusal post_not_found, not_a_member, muted, post_hidden, record_own_post, record_too_new, record_already,
 *   record_limit, record_unavailable
 */
export const recordPost: Handler<typeof contract.records.record> = async (ctx, { postId }) => {
  const { caller, db, recorder } = ctx;
  const { userId } = caller;
  // Checked before the chain is asked; the check under the lock decides.
  const post = await loadPost(db, postId, userId);
  const usage = await recordUsage(db, { postId, userId, now: ctx.now() });
  await assertRecordable(db, caller, { post, usage, now: ctx.now() });
  if (!recorder) throw new Refusal("record_unavailable");

  const reserved = await recorder.sender
    .quote(callOf(recorder, post, userId))
    .then(async (quote) => await recorder.sender.prepare(quote))
    .then(async (prepared) => {
      return await db
        .transaction()
        .execute(async (trx) => await reserve(trx, ctx, { recorder, postId, prepared }));
    })
    .catch((error: unknown) => {
      if (error instanceof ChainUnavailableError) throw new Refusal("record_unavailable", { cause: error });
      throw error;
    });
  await recorder.sender.broadcast(reserved.transactionId);
  return await answer(ctx, recorder, reserved);
};

function callOf(
  { board, personHash }: Recorder,
  post: Pick<PostRow, "id" | "author_id" | "content">,
  recorderId: string,
): Call {
  return recordCall(board, {
    postIdHash: postIdHashOf(post.id),
    contentHash: contentHashOf(post.content),
    authorHash: personHash("author", post.id, post.author_id),
    recorderHash: personHash("recorder", post.id, recorderId),
  });
}

interface Reservation {
  readonly recorder: Recorder;
  readonly postId: string;
  readonly prepared: Awaited<ReturnType<Recorder["sender"]["prepare"]>>;
}

/** Writes a record. Locks the post, the caller's day and the wallet, in this order. */
async function reserve(
  trx: Trx,
  { caller, now }: MemberContext,
  { recorder, postId, prepared }: Reservation,
): Promise<Reserved> {
  const { userId } = caller;
  const at = now();
  const post = await lockPost(trx, postId, userId);
  const usage = await recordUsage(trx, { postId, userId, now: at });
  await assertRecordable(trx, caller, { post, usage, now: at });
  await countForDay(trx, userId, recordDay(at), usage.carried);
  const { content } = await trx
    .selectFrom("posts")
    .select("content")
    .where("id", "=", post.id)
    .executeTakeFirstOrThrow();
  const call = callOf(recorder, { ...post, content }, userId);
  const transactionId = await recorder.sender.append(trx, call, prepared);
  const { id } = await trx
    .insertInto("records")
    .values({
      post_id: post.id,
      recorder_id: userId,
      content_hash: contentHashOf(content),
      day: recordDay(at),
      status: "sent",
      transaction_id: transactionId,
      created_at: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, transactionId };
}

/** Counts a record for the user's day, whose row serializes their records of all posts. @throws Refusal record_limit */
async function countForDay(trx: Trx, userId: string, day: string, carried: number): Promise<void> {
  const counted = await trx
    .insertInto("record_days")
    .values({ user_id: userId, day, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "day"])
        .doUpdateSet((eb) => ({ count: eb("record_days.count", "+", 1) }))
        .where("record_days.count", "<", LIMITS.record.perDay - carried),
    )
    .returning("count")
    .executeTakeFirst();
  if (!counted) throw new Refusal("record_limit");
}

/** Waits until this process or another confirms the record, or until the time is over. */
async function answer(
  ctx: MemberContext,
  { sender, waitMs, pollMs }: Recorder,
  { id }: Reserved,
): Promise<ResponseBody<typeof contract.records.record>> {
  const until = performance.now() + waitMs;
  for (;;) {
    await sender.look((mined) => settleRecord(ctx, mined));
    const row = await ctx.db
      .selectFrom("records as r")
      .innerJoin("posts as p", "p.id", "r.post_id")
      .select(["r.status", "r.content_hash", "r.tx_hash", "p.record_count"])
      .where("r.id", "=", id)
      .executeTakeFirst();
    // The topic was deleted in the meantime, and the record with it.
    if (!row) throw new Refusal("post_not_found");
    if (row.status === "failed") throw new Refusal("record_unavailable");
    const confirmed = row.status === "confirmed";
    if (confirmed || performance.now() >= until) {
      return {
        success: true,
        record: {
          id,
          contentHash: row.content_hash,
          recordCount: row.record_count,
          status: confirmed ? "confirmed" : "pending",
          txHash: row.tx_hash,
        },
      };
    }
    await sleep(pollMs);
  }
}

/** GET /api/posts/{postId}/record-status: whether the caller may record the post, and what it would cost us. */
export const getRecordStatus: Handler<typeof contract.records.status> = async (ctx, { postId }) => {
  const { caller, db } = ctx;
  const post = await authorizePost(db, postId, caller, "read");
  const now = ctx.now();
  const usage = await recordUsage(db, { postId, userId: caller.userId, now });
  const cost = await costOf(ctx, post.id);
  let refused: Refusal | undefined;
  try {
    await assertRecordable(db, caller, { post, usage, now });
    if (!cost) throw new Refusal("record_unavailable");
  } catch (error) {
    if (!isRefusal(error)) throw error;
    refused = error;
  }
  return {
    allowed: refused === undefined,
    reason: refused?.message ?? null,
    code: refused?.code ?? null,
    leftToday: Math.max(0, LIMITS.record.perDay - usage.today),
    cost,
  };
};

/** Returns the cost of a record; null if the chain cannot be reached or the wallet could not pay. */
async function costOf(
  { recorder }: MemberContext,
  postId: string,
): Promise<ResponseBody<typeof contract.records.status>["cost"]> {
  if (!recorder) return null;
  const word = postIdHashOf(postId);
  const call = { postIdHash: word, contentHash: word, authorHash: word, recorderHash: word };
  try {
    const { estimated, needed, gas, balance } = await recorder.sender.quote(recordCall(recorder.board, call));
    if (balance < gas * needed.fees.maxFeePerGas) return null;
    return {
      chainId: recorder.chain.id,
      gas: Number(estimated),
      wei: (estimated * needed.least).toString(),
      symbol: "ETH",
    };
  } catch {
    return null;
  }
}
