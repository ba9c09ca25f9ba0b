import type { Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { logStaffAct } from "../moderation/log";
import { notify } from "../notifications/notify";
import { assertFreshProof } from "../profile/fresh-proof";
import { accessUnderLock, roleOf } from "../topics/membership";
import { isTheirs } from "../topics/membership-rules";
import { write } from "../write";

type Input = HandlerInput<typeof contract.members.setRole>;

/**
 * PATCH /api/topics/{topicId}/members: the owner gives a member a role. `owner` hands the topic over: every right of
 * the creator, `creatorId` with them, goes to that member, and who gave it stays an admin; there is exactly one owner
 * at any moment. A role that the member has already changes nothing. Of owners themselves only handing over changes
 * the role.
 * @throws Refusal topic_not_found, not_a_member, role_required, member_not_found; fresh_proof_required for handing over
 */
export async function setRole(
  ctx: MemberContext,
  { topicId, userId, role }: Input,
): Promise<ResponseBody<typeof contract.members.setRole>> {
  const { caller } = ctx;
  const now = ctx.now();
  const transferred = await write(ctx, async (trx, effects) => {
    const { access } = await accessUnderLock(trx, topicId, caller);
    assertAllowed(access.edit);
    const previous = await roleOf(trx, topicId, userId);
    if (!previous) throw new Refusal("member_not_found", { field: "userId" });
    if (previous === role) return false;
    if (previous === "owner") throw new Refusal("role_required");
    const told = { topicId, actorId: caller.userId, now };
    if (role === "owner") {
      assertFreshProof(ctx);
      await handOver(trx, { topicId, from: caller.userId, to: userId, now });
      await notify(trx, effects, told, [{ kind: "ownership_received", to: [userId] }]);
      return true;
    }
    await writeRole(trx, topicId, userId, role);
    const details = { role, previous };
    const act = { topicId, actorId: caller.userId, subjectId: userId, now, details };
    await logStaffAct(trx, { ...act, action: "role_changed" });
    await notify(trx, effects, told, [{ kind: "role_changed", to: [userId], details }]);
    return false;
  });
  return { success: true, role, transferred };
}

async function writeRole(trx: Trx, topicId: string, userId: string, role: Input["role"]): Promise<void> {
  await trx
    .updateTable("memberships")
    .set({ role })
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .execute();
}

/** Makes another member the owner, in a transaction that holds the topic; who gave it is an admin from then on. */
export async function handOver(
  trx: Trx,
  { topicId, from, to, now }: { topicId: string; from: string; to: string; now: Date },
): Promise<void> {
  // In this order: the index memberships_owner holds one owner at most.
  await writeRole(trx, topicId, from, "admin");
  await writeRole(trx, topicId, to, "owner");
  await trx
    .updateTable("topics")
    .set({ creator_id: to, updated_at: now })
    .where("id", "=", topicId)
    .execute();
  const act = { topicId, actorId: from, subjectId: to, now };
  // Nobody could lift a mute of the owner: it ends with the hand-over.
  const unmuted = await trx
    .deleteFrom("sanctions")
    .where("topic_id", "=", topicId)
    .where(isTheirs(topicId, to))
    .where("kind", "=", "mute")
    .returning("until")
    .execute();
  const inForce = unmuted.some(({ until }) => !until || until > now);
  if (inForce) await logStaffAct(trx, { ...act, action: "member_unmuted" });
  await logStaffAct(trx, { ...act, action: "ownership_transferred" });
}
