import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { write } from "../write";
import { accessUnderLock, endMembership } from "./membership";
import { topicScoreLater } from "./score";

/**
 * POST /api/topics/{topicId}/leave. Whoever left may come back the way they came, under the same account.
 * @throws Refusal topic_not_found, not_a_member, owner_must_transfer
 */
export async function leaveTopic(
  ctx: MemberContext,
  { topicId }: HandlerInput<typeof contract.topics.leave>,
): Promise<ResponseBody<typeof contract.topics.leave>> {
  const { caller } = ctx;
  await write(ctx, async (trx, effects) => {
    const { topic, access } = await accessUnderLock(trx, topicId, caller);
    assertAllowed(access.inside);
    if (topic.role === "owner") throw new Refusal("owner_must_transfer");
    await endMembership(trx, topicId, caller.userId);
    effects.publish({ kind: "access", topicId, userId: caller.userId });
  });
  topicScoreLater(ctx, topicId);
  return { success: true };
}
