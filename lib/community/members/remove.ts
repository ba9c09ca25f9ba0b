import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { mayDiscipline } from "@/lib/policy/topic";
import { hideAuthored, lockAuthored, nothingHidden } from "../moderation/hide-authored";
import { logStaffAct } from "../moderation/log";
import { notify } from "../notifications/notify";
import { authorizeTopic } from "../topics/load";
import { authorizeLockedTopic, expel, roleOf } from "../topics/membership";
import { topicScoreLater } from "../topics/score";
import { moveWithheld } from "../uploads/of-post";
import { write } from "../write";

/**
 * DELETE /api/topics/{topicId}/members: admins remove plain members, the owner everyone but themselves. The user cannot
 * join again for 24 hours, and the identity stays bound to the account.
 * @throws Refusal topic_not_found, not_a_member, role_required, member_not_found
 */
export const removeMember: Handler<typeof contract.members.remove> = async (
  ctx,
  { topicId, userId, reason, hide: scope },
) => {
  const { caller } = ctx;
  const now = ctx.now();
  const hidden = await write(ctx, async (trx, effects) => {
    const authored = scope && { topicId, userId, scope, reason, now };
    if (authored) {
      await authorizeTopic(trx, topicId, caller, "moderate");
      await lockAuthored(trx, authored);
    }
    const topic = await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const target = await roleOf(trx, topicId, userId);
    if (!target) throw new Refusal("member_not_found", { field: "userId" });
    assertAllowed(mayDiscipline(topic.role, target, userId === caller.userId));
    await expel(trx, { topicId, userId, now });
    const act = { topicId, actorId: caller.userId, subjectId: userId, reason, now };
    await logStaffAct(trx, { ...act, action: "member_removed" });
    const hidden = authored ? await hideAuthored(trx, effects, ctx, authored) : nothingHidden;
    const count = hidden.posts + hidden.comments + hidden.messages;
    const details: Record<string, string> = count > 0 ? { hidden: String(count) } : {};
    await notify(trx, effects, act, [{ kind: "member_removed", to: [userId], reason, details }]);
    effects.publish({ kind: "access", topicId, userId });
    return hidden;
  });
  await moveWithheld(ctx, hidden.pictures);
  topicScoreLater(ctx, topicId);
  return { success: true };
};
