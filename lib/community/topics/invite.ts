import { randomBytes } from "node:crypto";
import type { Db, Trx } from "@/db/schema";
import type { Context, Handler } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { proofState } from "@/lib/policy/freshness";
import { proofRequirementFor } from "@/lib/session/guides";
import { transact } from "@/lib/sql/transact";
import { logStaffAct } from "../moderation/log";
import { consumePass, gateOf, passGate } from "./gate";
import { assertInviteCode, type Invite, inviteTokenHash, readInvite, replaceInviteCode } from "./invite-code";
import { authorizeTopic, loadTopic, type TopicRow } from "./load";
import { addMember, authorizeLockedTopic, holdTopic } from "./membership";
import { type Applicant, assertNotBanned, assertNotRemoved } from "./membership-rules";
import { renewProof } from "./renew";
import { topicScoreLater } from "./score";

/** How long an invite token is valid (spec, Limits). */
const TOKEN_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * POST /api/topics/{topicId}/invite: a token of 64 random bits that lets one person join. Only this response shows it;
 * the table has its SHA-256.
 * @throws Refusal topic_not_found, not_a_member, muted
 */
export const createInvite: Handler<typeof contract.topics.createInvite> = async (ctx, { topicId }) => {
  const { caller, db } = ctx;
  const { userId } = caller;
  const token = randomBytes(8).toString("hex");
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + TOKEN_LIFE_MS);
  await transact(db, async (trx) => {
    await holdTopic(trx, topicId);
    await authorizeTopic(trx, topicId, caller, "write");
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
};

/**
 * GET /api/topics/join/{inviteCode}: the topic that an invite leads to, whatever its visibility. Who holds an invite may see
 * it: pages show it to guests too, while this operation asks for a session (spec).
 * @throws Refusal invite_not_found
 */
export async function getInvite(
  ctx: Context,
  { inviteCode }: HandlerInput<typeof contract.topics.getInvite>,
) {
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
      reproveDays: topic.reprove_days,
      rules: topic.rules,
    },
    isMember: topic.role !== null,
    ...(gate && { proofRequirement: proofRequirementFor(ctx.deployment, gate, inviteUrl(inviteCode)) }),
  };
}

/**
 * POST /api/topics/join/{inviteCode}: joins a topic of any visibility. A gate still needs its proof, and an invite does
 * not override a ban or a removal of the last 24 hours. The joining transaction consumes a token, so a refused join
 * leaves it usable.
 */
export const joinByInvite: Handler<typeof contract.topics.joinByInvite> = async (ctx, input) => {
  const { invite, topic } = await invitedTopic(ctx, input.inviteCode);
  if (topic.role && proofState(topic.reprove_by, ctx.now()) === "current")
    throw new Refusal("already_member");
  const { userId } = ctx.caller;
  await assertNotBanned(ctx.db, { topicId: topic.id, userId, now: ctx.now() });
  await assertNotRemoved(ctx.db, { topicId: topic.id, userId, now: ctx.now() });
  const gate = gateOf(topic);
  const onMissing = { joinUrl: inviteUrl(input.inviteCode), status: 403 } as const;
  if (topic.role && gate) {
    await renewProof(ctx, topic, gate, input, onMissing);
    return { success: true, topicId: topic.id };
  }
  const pass = gate ? await passGate(ctx, gate, input, onMissing) : null;
  const now = ctx.now();
  const entry = { topicId: topic.id, userId, provenAt: pass?.provenAt ?? null, now };
  await transact(ctx.db, async (trx) => {
    await addMember(trx, entry);
    // addMember locked the topic's row, so this sees a code that was replaced in the meantime.
    if (invite.kind === "code") await assertInviteCode(trx, topic.id, invite.code);
    else await consumeToken(trx, invite.tokenHash, userId, now);
    if (pass) await consumePass(trx, ctx, pass, entry);
    await assertNotRemoved(trx, entry);
    await approvePendingRequest(trx, entry);
  });
  topicScoreLater(ctx, topic.id);
  return { success: true, topicId: topic.id };
};

function inviteUrl(inviteCode: string): string {
  return `/api/topics/join/${inviteCode}`;
}

/** @throws Refusal invite_not_found unless the invite is valid */
async function invitedTopic(ctx: Context, written: string): Promise<{ invite: Invite; topic: TopicRow }> {
  const invite = readInvite(written);
  const topicId = invite && (await topicIdOf(ctx.db, invite, ctx.now()));
  if (!topicId) throw new Refusal("invite_not_found");
  return { invite, topic: await loadTopic(ctx.db, topicId, ctx.caller?.userId ?? null) };
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

/** Consumes a token. Of two concurrent uses, the row lock lets only one find it unused. */
async function consumeToken(trx: Trx, tokenHash: string, userId: string, now: Date): Promise<void> {
  const consumed = await trx
    .updateTable("invite_tokens")
    .set({ used_at: now, used_by: userId })
    .where("token_hash", "=", tokenHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returning("topic_id")
    .executeTakeFirst();
  if (!consumed) throw new Refusal("invite_not_found");
}

/** Approves a pending request of someone who joined by invite. */
async function approvePendingRequest(trx: Trx, { topicId, userId, now }: Applicant): Promise<void> {
  await trx
    .updateTable("join_requests")
    .set({ status: "approved", decided_at: now })
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .where("status", "=", "pending")
    .execute();
}

/**
 * POST /api/topics/{topicId}/invite-code: replaces the invite code, which stops working, by the owner or an admin.
 * @throws Refusal topic_not_found, not_a_member, role_required
 */
export const renewInviteCode: Handler<typeof contract.topics.renewInviteCode> = async (ctx, { topicId }) => {
  const { caller, db } = ctx;
  return await transact(db, async (trx) => {
    await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const inviteCode = await replaceInviteCode(trx, topicId);
    await logStaffAct(trx, {
      topicId,
      actorId: caller.userId,
      action: "invite_code_changed",
      now: ctx.now(),
    });
    return { inviteCode };
  });
};
