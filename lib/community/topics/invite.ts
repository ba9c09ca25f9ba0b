import type { Db, Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { gateOf, passGate, requirementFor, spendPass } from "./gate";
import { assertInviteCode, type Invite, readInvite } from "./invite-code";
import { loadTopic, type TopicRow } from "./load";
import { addMember } from "./membership";
import { assertNotBanned, assertNotRemoved } from "./membership-rules";
import { topicScoreLater } from "./score";

/** GET /api/topics/join/{inviteCode}: an invite shows what it leads to, whatever the topic's visibility. */
export async function getInvite(
  ctx: MemberContext,
  { inviteCode }: HandlerInput<typeof contract.topics.getInvite>,
): Promise<ResponseBody<typeof contract.topics.getInvite>> {
  const { topic } = await invitedTopic(ctx, inviteCode);
  const gate = gateOf(topic);
  return {
    topic: {
      id: topic.id,
      title: topic.title,
      description: topic.description,
      requiresCountryProof: topic.proof_type === "country",
      allowedCountries: topic.allowed_countries,
      excludedCountries: topic.excluded_countries,
      proofType: topic.proof_type,
      requiredDomain: topic.required_domain,
      visibility: topic.visibility,
      memberCount: topic.member_count,
    },
    isMember: topic.role !== null,
    ...(gate && { proofRequirement: requirementFor(ctx, gate, inviteUrl(inviteCode)) }),
  };
}

/**
 * POST /api/topics/join/{inviteCode}: joins whatever the visibility; a gate still needs its proof.
 * A token is spent in the joining transaction, so a refused join leaves it usable. Neither opens what a ban, or a
 * removal of the last 24 hours, closed.
 */
export async function joinByInvite(
  ctx: MemberContext,
  input: HandlerInput<typeof contract.topics.joinByInvite>,
): Promise<ResponseBody<typeof contract.topics.joinByInvite>> {
  const { invite, topic } = await invitedTopic(ctx, input.inviteCode);
  if (topic.role) throw new Refusal("already_member");
  const { userId } = ctx.caller;
  await assertNotBanned(ctx.db, { topicId: topic.id, userId, now: ctx.now() });
  await assertNotRemoved(ctx.db, { topicId: topic.id, userId, now: ctx.now() });
  const gate = gateOf(topic);
  const onMissing = { joinUrl: inviteUrl(input.inviteCode), status: 403 } as const;
  const pass = gate ? await passGate(ctx, gate, input, onMissing) : null;
  const now = ctx.now();
  const entry = { topicId: topic.id, userId, now };
  await ctx.db.transaction().execute(async (trx) => {
    await addMember(trx, entry);
    // Joining took the topic's row: a code that was replaced meanwhile is the old one here.
    if (invite.kind === "code") await assertInviteCode(trx, topic.id, invite.code);
    else await spendToken(trx, invite.tokenHash, userId, now);
    if (pass) await spendPass(trx, ctx, pass, entry);
    await assertNotRemoved(trx, entry);
    await answerOpenRequest(trx, entry);
  });
  topicScoreLater(ctx, topic.id);
  return { success: true, topicId: topic.id };
}

function inviteUrl(inviteCode: string): string {
  return `/api/topics/join/${inviteCode}`;
}

/** @throws Refusal invite_not_found for anything that opens no topic (any more) */
async function invitedTopic(
  ctx: MemberContext,
  written: string,
): Promise<{ invite: Invite; topic: TopicRow }> {
  const invite = readInvite(written);
  const topicId = invite && (await topicIdOf(ctx.db, invite, ctx.now()));
  if (!topicId) throw new Refusal("invite_not_found");
  return { invite, topic: await loadTopic(ctx.db, topicId, ctx.caller.userId) };
}

async function topicIdOf(db: Db, invite: Invite, now: Date): Promise<string | undefined> {
  if (invite.kind === "code") {
    const row = await db
      .selectFrom("topics")
      .select("id")
      .where("invite_code", "=", invite.code)
      .executeTakeFirst();
    return row?.id;
  }
  const row = await db
    .selectFrom("invite_tokens")
    .select("topic_id")
    .where("token_hash", "=", invite.tokenHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.topic_id;
}

/** Of two who hold the same token, the row lock lets one find it unused. */
async function spendToken(trx: Trx, tokenHash: string, userId: string, now: Date): Promise<void> {
  const spent = await trx
    .updateTable("invite_tokens")
    .set({ used_at: now, used_by: userId })
    .where("token_hash", "=", tokenHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returning("topic_id")
    .executeTakeFirst();
  if (!spent) throw new Refusal("invite_not_found");
}

/** A request that was waiting is answered by the invite. */
async function answerOpenRequest(
  trx: Trx,
  { topicId, userId, now }: { readonly topicId: string; readonly userId: string; readonly now: Date },
): Promise<void> {
  await trx
    .updateTable("join_requests")
    .set({ status: "approved", decided_at: now })
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .where("status", "=", "pending")
    .execute();
}
