import { randomBytes } from "node:crypto";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { topicAccess } from "@/lib/policy/topic";
import { viewerOf } from "../viewer";
import { inviteTokenHash } from "./invite-code";
import { loadTopic } from "./load";
import { holdTopic } from "./membership";
import { assertMayWrite } from "./membership-rules";

/** How long an invite token opens its topic (spec, Limits). */
const tokenLifeMs = 7 * 24 * 60 * 60 * 1000;

/**
 * POST /api/topics/{topicId}/invite: a token of 64 random bits that lets one person in. It is shown here and never
 * again; the table keeps its SHA-256.
 * @throws Refusal topic_not_found, not_a_member, muted
 */
export async function createInvite(
  ctx: MemberContext,
  { topicId }: HandlerInput<typeof contract.topics.createInvite>,
): Promise<ResponseBody<typeof contract.topics.createInvite>> {
  const { caller, db } = ctx;
  const { userId } = caller;
  const token = randomBytes(8).toString("hex");
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + tokenLifeMs);
  await db.transaction().execute(async (trx) => {
    await holdTopic(trx, topicId);
    const topic = await loadTopic(trx, topicId, userId);
    await assertMayWrite(trx, topicAccess(topic, viewerOf(caller, topic)).write, { topicId, userId });
    await trx
      .insertInto("invite_tokens")
      .values({
        token_hash: inviteTokenHash(token),
        topic_id: topicId,
        issued_by: userId,
        created_at: now,
        expires_at: expiresAt,
        used_at: null,
      })
      .execute();
  });
  return { token, expiresAt: expiresAt.toISOString() };
}
