import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, HandlerResult } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { notify } from "../notifications/notify";
import { staffOf } from "../notifications/staff";
import { viewerOf } from "../viewer";
import { write } from "../write";
import { type GatePass, gateOf, passGate, spendPass } from "./gate";
import { joinUrl } from "./get";
import { loadTopic } from "./load";
import { addMember, holdTopic } from "./membership";
import { assertMayAsk, assertNotRemoved } from "./membership-rules";
import { topicScoreLater } from "./score";

type Input = HandlerInput<typeof contract.topics.join>;

/**
 * POST /api/topics/{topicId}/join. Checked in this order: 404, already a member 409, secret 403, request pending
 * 409, banned 403, asked too soon 403, gate (402, 400, 403); then a public topic is entered and a private one asked.
 */
export async function joinTopic(
  ctx: MemberContext,
  input: Input,
): Promise<HandlerResult<typeof contract.topics.join>> {
  const { db, caller } = ctx;
  const { topicId } = input;
  const { userId } = caller;
  const topic = await loadTopic(db, topicId, userId);
  assertAllowed(topicAccess(topic, viewerOf(caller, topic)).join);
  await assertMayAsk(db, { topicId, userId, now: ctx.now() });
  const gate = gateOf(topic);
  const pass = gate ? await passGate(ctx, gate, input, { joinUrl: joinUrl(topicId), status: 402 }) : null;

  if (topic.visibility === "private") {
    await ask(ctx, topicId, pass);
    const message = "Your request was sent. The topic's owner or an admin will answer it.";
    return { status: 202, body: { success: true, status: "pending", message } };
  }
  const entry = { topicId, userId, now: ctx.now() };
  await write(ctx, async (trx) => {
    await addMember(trx, entry);
    if (pass) await spendPass(trx, ctx, pass, entry);
    // Again, now that nobody can remove them meanwhile: of several joins at once one may have come and gone.
    await assertNotRemoved(trx, entry);
  });
  topicScoreLater(ctx, topicId);
  return { status: 201, body: { success: true } };
}

/** Leaves a request that waits; the identity is bound now, so that it cannot ask under a second account. */
async function ask(ctx: MemberContext, topicId: string, pass: GatePass | null): Promise<void> {
  const { userId } = ctx.caller;
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    await holdTopic(trx, topicId);
    const inserted = await trx
      .insertInto("join_requests")
      .values({ topic_id: topicId, user_id: userId, status: "pending", created_at: now })
      // Of two requests at once the partial unique index lets one through.
      .onConflict((conflict) =>
        conflict.columns(["topic_id", "user_id"]).where("status", "=", "pending").doNothing(),
      )
      .returning("id")
      .executeTakeFirst();
    if (!inserted) throw new Refusal("request_pending");
    if (pass) await spendPass(trx, ctx, pass, { topicId, userId, now });
    await assertNotRemoved(trx, { topicId, userId, now });
    const to = await staffOf(trx, topicId);
    await notify(trx, effects, { topicId, actorId: userId, now }, [{ kind: "join_request", to }]);
  });
}
