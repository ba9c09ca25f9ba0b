import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { logStaffAct } from "../moderation/log";
import { notify } from "../notifications/notify";
import { authorizeLockedTopic, roleOf } from "../topics/membership";
import { isTheirs } from "../topics/membership-rules";
import { write } from "../write";

type Input = HandlerInput<typeof contract.members.setRole>;

/**
 * PATCH /api/topics/{topicId}/members: the owner assigns a role. The role `owner` transfers the topic with all rights
 * of the creator, including `creatorId`, and the previous owner becomes an admin. There is always exactly one owner,
 * whose role changes only by a transfer. Assigning the current role changes nothing.
 * @throws Refusal topic_not_found, not_a_member, role_required, member_not_found; fresh_proof_required for a transfer
 */
export const setRole: Handler<typeof contract.members.setRole> = async (ctx, { topicId, userId, role }) => {
  const { caller } = ctx;
  const now = ctx.now();
  const transferred = await write(ctx, async (trx, effects) => {
    await authorizeLockedTopic(trx, topicId, caller, "edit");
    const previous = await roleOf(trx, topicId, userId);
    if (!previous) throw new Refusal("member_not_found", { field: "userId" });
    if (previous === role) return false;
    if (previous === "owner") throw new Refusal("role_required");
    const act = { topicId, actorId: caller.userId, now };
    if (role === "owner") {
      assertFreshProof(ctx);
      await transferOwnership(trx, { topicId, from: caller.userId, to: userId, now });
      await notify(trx, effects, act, [{ kind: "ownership_received", to: [userId] }]);
      return true;
    }
    await writeRole(trx, topicId, userId, role);
    const details = { role, previous };
    await logStaffAct(trx, { ...act, subjectId: userId, action: "role_changed", details });
    await notify(trx, effects, act, [{ kind: "role_changed", to: [userId], details }]);
    return false;
  });
  return { success: true, role, transferred };
};

async function writeRole(trx: Trx, topicId: string, userId: string, role: Input["role"]): Promise<void> {
  await trx
    .updateTable("memberships")
    .set({ role })
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .execute();
}

interface Transfer {
  readonly topicId: string;
  readonly from: string;
  readonly to: string;
  readonly now: Date;
  /** An operator who does it, or null where nobody does; by default, the previous owner. */
  readonly by?: string | null;
  readonly reason?: string;
  /** For the log. */
  readonly details?: Readonly<Record<string, string>>;
}

/** Makes another member the owner and the previous owner an admin, in a transaction that holds the topic. */
export async function transferOwnership(
  trx: Trx,
  { topicId, from, to, now, by = from, reason, details }: Transfer,
): Promise<void> {
  // In this order: the index memberships_owner allows only one owner.
  await writeRole(trx, topicId, from, "admin");
  await writeRole(trx, topicId, to, "owner");
  await trx
    .updateTable("topics")
    .set({ creator_id: to, updated_at: now })
    .where("id", "=", topicId)
    .execute();
  await trx.deleteFrom("ownership_offers").where("topic_id", "=", topicId).execute();
  const act = { topicId, actorId: by, subjectId: to, now, reason };
  // Nobody could lift a mute of the owner, so the transfer ends it.
  const unmuted = await trx
    .deleteFrom("sanctions")
    .where("topic_id", "=", topicId)
    .where(isTheirs(topicId, to))
    .where("kind", "=", "mute")
    .returning("until")
    .execute();
  const inForce = unmuted.some(({ until }) => !until || until > now);
  if (inForce) await logStaffAct(trx, { ...act, action: "member_unmuted" });
  const action = by === null ? "ownership_inherited" : "ownership_transferred";
  await logStaffAct(trx, { ...act, action, details });
}
