import type { Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { notify } from "../notifications/notify";
import { staffToTellOf } from "../notifications/staff";
import { write } from "../write";
import { lockCommentTarget, lockPostTarget, type Target } from "./targets";

type Body = Pick<HandlerInput<typeof contract.moderation.reportPost>, "reason" | "details">;
type Done = ResponseBody<typeof contract.moderation.reportPost>;

/**
 * POST /api/posts/{postId}/report. While a report of the same person about the same post is open, another one
 * answers the same and changes nothing. Muted members may report.
 * @throws Refusal post_not_found, not_a_member
 */
export async function reportPost(
  ctx: MemberContext,
  { postId, ...body }: HandlerInput<typeof contract.moderation.reportPost>,
): Promise<Done> {
  return await report(ctx, body, (trx) => lockPostTarget(trx, postId, ctx));
}

/**
 * POST /api/comments/{commentId}/report, as of a post.
 * @throws Refusal comment_not_found, not_a_member
 */
export async function reportComment(
  ctx: MemberContext,
  { commentId, ...body }: HandlerInput<typeof contract.moderation.reportComment>,
): Promise<Done> {
  return await report(ctx, body, (trx) => lockCommentTarget(trx, commentId, ctx));
}

async function report(
  ctx: MemberContext,
  { reason, details }: Body,
  lock: (trx: Trx) => Promise<Target>,
): Promise<Done> {
  const { caller } = ctx;
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    const target = await lock(trx);
    assertAllowed(target.access.report);
    const inserted = await trx
      .insertInto("reports")
      .values({
        topic_id: target.topicId,
        post_id: target.postId,
        comment_id: target.commentId,
        reporter_id: caller.userId,
        reason,
        details: details ?? null,
        status: "open",
        created_at: now,
        decided_at: null,
        decided_by: null,
      })
      .onConflict((conflict) =>
        conflict.columns(["post_id", "comment_id", "reporter_id"]).where("status", "=", "open").doNothing(),
      )
      .returning("id")
      .executeTakeFirst();
    if (!inserted) return;
    await trx
      .updateTable("topics")
      .set((eb) => ({ open_report_count: eb("open_report_count", "+", 1) }))
      .where("id", "=", target.topicId)
      .execute();
    const { topicId, postId, commentId } = target;
    const to = await staffToTellOf(trx, target);
    const act = { topicId, actorId: caller.userId, now };
    await notify(trx, effects, act, [{ kind: "report_opened", to, postId, commentId, details: { reason } }]);
  });
  return { success: true };
}
