import type { Handler, MemberContext } from "@/lib/context";
import type { contract, HandlerInput, HandlerResult } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { notify } from "../notifications/notify";
import { write } from "../write";
import { consumePass, type GatePass, gateOf, joinUrl, passGate } from "./gate";
import { authorizeTopic, requiresApproval } from "./load";
import { addMember, authorizeLockedTopic, endMembership, holdTopic, staffOf } from "./membership";
import { assertMayAsk, assertNotRemoved } from "./membership-rules";
import { renewProof } from "./renew";
import { topicScoreLater } from "./score";

/**
 * POST /api/topics/{topicId}/join. Checks, in this order: 404, already a member 409, secret 403, request pending 409,
 * banned 403, asked too soon 403, gate (402, 400, 403). Then joins, or asks to join where that takes approval. A
 * member whose proof is due or too old renews it.
 */
export async function joinTopic(
  ctx: MemberContext,
  input: HandlerInput<typeof contract.topics.join>,
): Promise<HandlerResult<typeof contract.topics.join>> {
  const { db, caller } = ctx;
  const { topicId } = input;
  const { userId } = caller;
  const topic = await authorizeTopic(db, topicId, caller, "join");
  const gate = gateOf(topic);
  const onMissing = { joinUrl: joinUrl(topicId), status: 402 } as const;
  if (topic.role) {
    if (!gate) throw new Refusal("already_member");
    await renewProof(ctx, topic, gate, input, onMissing);
    return { status: 201, body: { success: true } };
  }
  await assertMayAsk(db, { topicId, userId, now: ctx.now() });
  const pass = gate ? await passGate(ctx, gate, input, onMissing) : null;

  if (requiresApproval(topic)) {
    await ask(ctx, topicId, pass);
    const message = "Your request was sent. The topic's owner or an admin will answer it.";
    return { status: 202, body: { success: true, status: "pending", message } };
  }
  const entry = { topicId, userId, provenAt: pass?.provenAt ?? null, now: ctx.now() };
  await write(ctx, async (trx) => {
    await addMember(trx, entry);
    if (pass) await consumePass(trx, ctx, pass, entry);
    // Again, now that nobody can remove them concurrently: another join of theirs may have ended in a removal.
    await assertNotRemoved(trx, entry);
  });
  topicScoreLater(ctx, topicId);
  return { status: 201, body: { success: true } };
}

/** Sends a join request. Binds the identity now, so that it cannot ask with a second account. */
async function ask(ctx: MemberContext, topicId: string, pass: GatePass | null): Promise<void> {
  const { userId } = ctx.caller;
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    await holdTopic(trx, topicId);
    const inserted = await trx
      .insertInto("join_requests")
      .values({ topic_id: topicId, user_id: userId, status: "pending", created_at: now })
      // The partial unique index lets one of two concurrent requests through.
      .onConflict((conflict) =>
        conflict.columns(["topic_id", "user_id"]).where("status", "=", "pending").doNothing(),
      )
      .returning("id")
      .executeTakeFirst();
    if (!inserted) throw new Refusal("request_pending");
    if (pass) await consumePass(trx, ctx, pass, { topicId, userId, now });
    await assertNotRemoved(trx, { topicId, userId, now });
    const to = await staffOf(trx, topicId);
    await notify(trx, effects, { topicId, actorId: userId, now }, [{ kind: "join_request", to }]);
  });
}

/**
 * POST /api/topics/{topicId}/leave. Someone who left may join again in the same way, with the same account.
 * @throws Refusal topic_not_found, not_a_member, owner_must_transfer
 */
export const leaveTopic: Handler<typeof contract.topics.leave> = async (ctx, { topicId }) => {
  const { caller } = ctx;
  await write(ctx, async (trx, effects) => {
    const topic = await authorizeLockedTopic(trx, topicId, caller, "leave");
    if (topic.role === "owner") throw new Refusal("owner_must_transfer");
    await endMembership(trx, { topicId, userId: caller.userId, now: ctx.now() });
    effects.publish({ kind: "access", topicId, userId: caller.userId });
  });
  topicScoreLater(ctx, topicId);
  return { success: true };
};
