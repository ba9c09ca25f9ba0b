import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { logStaffAct } from "../moderation/log";
import { replaceInviteCode } from "./invite-code";
import { accessUnderLock } from "./membership";

/**
 * POST /api/topics/{topicId}/invite-code: another code, by the owner or an admin; the old one opens nothing any more.
 * @throws Refusal topic_not_found, not_a_member, role_required
 */
export async function renewInviteCode(
  ctx: MemberContext,
  { topicId }: HandlerInput<typeof contract.topics.renewInviteCode>,
): Promise<ResponseBody<typeof contract.topics.renewInviteCode>> {
  const { caller, db } = ctx;
  return await db.transaction().execute(async (trx) => {
    const { access } = await accessUnderLock(trx, topicId, caller);
    assertAllowed(access.moderate);
    const inviteCode = await replaceInviteCode(trx, topicId);
    await logStaffAct(trx, {
      topicId,
      actorId: caller.userId,
      action: "invite_code_changed",
      now: ctx.now(),
    });
    return { inviteCode };
  });
}
