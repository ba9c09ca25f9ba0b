import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import type { Trx } from "@/db/schema";
import type { Call } from "@/lib/chain/journal";
import { type Recorder, recordCall } from "@/lib/chain/recorder";
import { ChainUnavailableError } from "@/lib/chain/sender";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { recordDay } from "@/lib/policy/record";
import { contentHashOf, postIdHashOf } from "@/lib/proofs/records";
import { loadPost, lockPost } from "../posts/load";
import { assertRecordable, recordStanding } from "./rules";
import { settleRecord } from "./settle";

/** A record that is written down, and with it its transaction. */
interface Reserved {
  readonly id: string;
  readonly transactionId: string;
}

/**
 * POST /api/posts/{postId}/record: the hash of the content goes on-chain with the service's wallet. The person's slot and
 * day, the record and its signed transaction are written in one transaction; only then does anything leave. What dies
 * after that is finished by any process (keeper.ts).
 * @throws Refusal post_not_found, not_a_member, muted, post_hidden, record_own_post, record_too_new, record_already,
 *   record_limit, record_unavailable
 */
export async function recordPost(
  ctx: MemberContext,
  { postId }: HandlerInput<typeof contract.records.record>,
): Promise<ResponseBody<typeof contract.records.record>> {
  const { caller, db, recorder } = ctx;
  const { userId } = caller;
  // Asked first, so that nobody who may not makes us ask the chain; what counts is the same question under the lock.
  const post = await loadPost(db, postId, userId);
  const standing = await recordStanding(db, { postId, userId, now: ctx.now() });
  await assertRecordable(db, caller, { post, standing, now: ctx.now() });
  if (!recorder) throw new Refusal("record_unavailable");

  const words = { id: postId, author_id: post.author_id };
  const call = callOf(recorder, { ...words, content: post.content }, userId);
  const prepared = await recorder.sender
    .quote(call)
    .then(async (quote) => await recorder.sender.prepare(quote))
    .catch((error: unknown) => {
      if (error instanceof ChainUnavailableError) throw new Refusal("record_unavailable", { cause: error });
      throw error;
    });
  const reserved = await db
    .transaction()
    .execute(async (trx) => await reserve(trx, ctx, { recorder, postId, prepared }));
  await recorder.sender.broadcast(reserved.transactionId);
  return await answer(ctx, recorder, reserved);
}

function callOf(
  { board, personHash }: Recorder,
  post: { readonly id: string; readonly author_id: string; readonly content: string },
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

/** Takes the post, the person's day and the wallet, in this order. */
async function reserve(
  trx: Trx,
  { caller, now }: MemberContext,
  { recorder, postId, prepared }: Reservation,
): Promise<Reserved> {
  const { userId } = caller;
  const at = now();
  const post = await lockPost(trx, postId, userId);
  const standing = await recordStanding(trx, { postId, userId, now: at });
  await assertRecordable(trx, caller, { post, standing, now: at });
  await takeDay(trx, userId, recordDay(at));
  const { content } = await trx
    .selectFrom("posts")
    .select("content")
    .where("id", "=", post.id)
    .executeTakeFirstOrThrow();
  const call = callOf(recorder, { id: post.id, author_id: post.author_id, content }, userId);
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

/** Counts a record for the person's day, whose row queues them over all posts. @throws Refusal record_limit */
async function takeDay(trx: Trx, userId: string, day: string): Promise<void> {
  const taken = await trx
    .insertInto("record_days")
    .values({ user_id: userId, day, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "day"])
        .doUpdateSet((eb) => ({ count: eb("record_days.count", "+", 1) }))
        .where("record_days.count", "<", LIMITS.record.perDay),
    )
    .returning("count")
    .executeTakeFirst();
  if (!taken) throw new Refusal("record_limit");
}

/** Waits until the record is confirmed, by this process or another, or the time is over. */
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
    // The topic was deleted meanwhile, and the record with it.
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

/** The call a record of this post would make, for what it costs. */
export function exampleCall(recorder: Recorder, postId: string): Call {
  const word: Hex = postIdHashOf(postId);
  return recordCall(recorder.board, {
    ...{ postIdHash: word, contentHash: word, authorHash: word, recorderHash: word },
  });
}
