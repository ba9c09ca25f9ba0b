import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { mayDiscipline } from "@/lib/policy/topic";
import { logStaffAct } from "../moderation/log";
import { notify } from "../notifications/notify";
import { authorizeLockedTopic, expel, roleOf } from "../topics/membership";
import { topicScoreLater } from "../topics/score";
import { write } from "../write";

/**
 * DELETE /api/topics/{topicId}/members: admins remove plain members, the owner everyone but themselves. The user cannot
 * join again for 24 hours, and the identity stays bound to the account.
 * @throws Refusal topic_not_found, not_a_member, role_required, member_not_found
 */
export const removeMember: Handler<typeof contract.members.remove> = async (
  ctx,
  { topicId, userId, reason },
) => {
  const { caller } = ctx;
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    const topic = await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const target = await roleOf(trx, topicId, userId);
    if (!target) throw new Refusal("member_not_found", { field: "userId" });
    assertAllowed(mayDiscipline(topic.role, target, userId === caller.userId));
    await expel(trx, { topicId, userId, now });
    const act = { topicId, actorId: caller.userId, subjectId: userId, reason, now };
    await logStaffAct(trx, { ...act, action: "member_removed" });
    await notify(trx, effects, act, [{ kind: "member_removed", to: [userId], reason }]);
    effects.publish({ kind: "access", topicId, userId });
  });
  topicScoreLater(ctx, topicId);
  return { success: true };
};
