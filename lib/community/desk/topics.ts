import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { deskAccess, mayUndoFor } from "@/lib/policy/desk";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { transferOwnership } from "../members/roles";
import { notify } from "../notifications/notify";
import { roleOf } from "../topics/membership";
import { type Effects, write } from "../write";
import { logOperatorAct } from "./log";

/**
 * POST /api/desk/topics/{topicId}/freeze: keeps everyone from writing in a topic and joining it, its staff too, or ends
 * that. Its staff can go on moderating. Freezing a frozen topic changes and logs nothing.
 * @throws Refusal operator_required, topic_not_found; own_case for the owner who wants to end it
 */
export const freezeTopic: Handler<typeof contract.desk.freeze> = async (ctx, wanted) => {
  await write(ctx, (trx, effects) => setFrozen(trx, effects, ctx, wanted));
  return { isFrozen: wanted.frozen };
};

/** @returns whether that changed the topic */
export async function setFrozen(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { topicId, frozen, reason }: HandlerInput<typeof contract.desk.freeze>,
): Promise<boolean> {
  const { caller } = ctx;
  assertAllowed(deskAccess(caller.operator).act);
  const now = ctx.now();
  const topic = await trx
    .selectFrom("topics")
    .select(["creator_id", "frozen_at"])
    .where("id", "=", topicId)
    .forUpdate()
    .executeTakeFirst();
  if (!topic) throw new Refusal("topic_not_found");
  if ((topic.frozen_at !== null) === frozen) return false;
  if (!frozen) assertAllowed(mayUndoFor(topic.creator_id, caller.userId));
  await trx
    .updateTable("topics")
    .set({ frozen_at: frozen ? now : null })
    .where("id", "=", topicId)
    .execute();
  const action = frozen ? "topic_frozen" : "topic_unfrozen";
  const act = { topicId, actorId: caller.userId, now };
  const target = { targetKind: "topic", targetId: topicId } as const;
  await logOperatorAct(trx, { ...act, ...target, role: "operator", action, reason });
  await notify(trx, effects, act, [{ kind: action, to: [topic.creator_id], reason }]);
  return true;
}

/**
 * POST /api/desk/topics/{topicId}/owner: makes another member the owner, also in the topic's log. The owner until then
 * becomes an admin. Naming the owner changes nothing.
 * @throws Refusal operator_required, fresh_proof_required, topic_not_found, member_not_found
 */
export const handOverTopic: Handler<typeof contract.desk.handOver> = async (
  ctx,
  { topicId, userId, reason },
) => {
  const { caller } = ctx;
  assertAllowed(deskAccess(caller.operator).act);
  assertFreshProof(ctx);
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    const topic = await trx
      .selectFrom("topics")
      .select("creator_id")
      .where("id", "=", topicId)
      .forUpdate()
      .executeTakeFirst();
    if (!topic) throw new Refusal("topic_not_found");
    const from = topic.creator_id;
    const role = await roleOf(trx, topicId, userId);
    if (!role) throw new Refusal("member_not_found", { field: "userId" });
    if (role === "owner") return;
    await transferOwnership(trx, { topicId, from, to: userId, now, by: caller.userId, reason });
    const act = { topicId, actorId: caller.userId, now };
    const target = { targetKind: "topic", targetId: topicId } as const;
    await logOperatorAct(trx, { ...act, ...target, role: "operator", action: "topic_handed_over", reason });
    await notify(trx, effects, act, [
      { kind: "ownership_given", to: [userId], reason },
      { kind: "ownership_taken", to: [from], reason },
    ]);
  });
  return { success: true };
};
