import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { OwnershipOffer } from "@/lib/contract/ownership";
import { Refusal } from "@/lib/errors";
import { offerAbilities } from "@/lib/policy/topic";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { notify } from "../notifications/notify";
import { authorizeTopic } from "../topics/load";
import { authorizeLockedTopic, roleOf } from "../topics/membership";
import { write } from "../write";
import { transferOwnership } from "./roles";

/*
 * The owner offers the topic to a member, who accepts or declines. Everything that changes who owns a topic, and every
 * answer to an offer, queues at the topic's row. A transfer deletes the offer, and its membership takes it along: so an
 * offer that is there was made by the owner of now, to someone who is a member now.
 */

const OFFER_MS = 7 * 24 * 60 * 60 * 1000;

interface OfferRow {
  readonly user_id: string;
  readonly offered_at: Date;
  readonly expires_at: Date;
  readonly nickname: string;
  readonly image: string | null;
}

async function openOffer(db: Db | Trx, topicId: string, now: Date): Promise<OfferRow | null> {
  const { rows } = await sql<OfferRow>`
    select o.user_id, o.offered_at, o.expires_at, u.nickname, u.profile_image as image
    from ownership_offers o join users u on u.id = o.user_id
    where o.topic_id = ${topicId} and o.expires_at > ${now}`.execute(db);
  return rows[0] ?? null;
}

function offerView(row: OfferRow, abilities: OwnershipOffer["abilities"]): OwnershipOffer {
  return {
    member: { userId: row.user_id, nickname: row.nickname, profileImage: row.image },
    offeredAt: row.offered_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    abilities,
  };
}

/**
 * GET /api/topics/{topicId}/ownership-offer: null for members whom it does not concern.
 * @throws Refusal topic_not_found, not_a_member
 */
export const getOffer: Handler<typeof contract.ownership.get> = async (ctx, { topicId }) => {
  const { caller, db } = ctx;
  const topic = await authorizeTopic(db, topicId, caller, "inside");
  const row = await openOffer(db, topic.id, ctx.now());
  const abilities = row ? offerAbilities(topic.role, row.user_id === caller.userId) : [];
  return { offer: row && abilities.length > 0 ? offerView(row, abilities) : null };
};

/**
 * PUT /api/topics/{topicId}/ownership-offer.
 * @throws Refusal topic_not_found, not_a_member, role_required, member_not_found, fresh_proof_required; offer_open while
 *   another member has not answered
 */
export const offerOwnership: Handler<typeof contract.ownership.offer> = async (ctx, { topicId, userId }) => {
  const { caller } = ctx;
  const now = ctx.now();
  const offer = await write(ctx, async (trx, effects) => {
    const topic = await authorizeLockedTopic(trx, topicId, caller, "edit");
    assertFreshProof(ctx);
    const role = await roleOf(trx, topicId, userId);
    if (!role) throw new Refusal("member_not_found", { field: "userId" });
    if (role === "owner") throw new Refusal("role_required", { field: "userId" });
    const before = await openOffer(trx, topicId, now);
    if (before && before.user_id !== userId) throw new Refusal("offer_open");
    if (!before) {
      const written = {
        user_id: userId,
        offered_by: caller.userId,
        offered_at: now,
        expires_at: new Date(now.getTime() + OFFER_MS),
      };
      await trx
        .insertInto("ownership_offers")
        .values({ topic_id: topicId, ...written })
        .onConflict((conflict) => conflict.column("topic_id").doUpdateSet(written))
        .execute();
      const act = { topicId, actorId: caller.userId, now };
      await notify(trx, effects, act, [{ kind: "ownership_offered", to: [userId] }]);
    }
    const row = before ?? (await openOffer(trx, topicId, now));
    if (!row) throw new Error("the offer was not written");
    return offerView(row, offerAbilities(topic.role, false));
  });
  return { offer };
};

/**
 * DELETE /api/topics/{topicId}/ownership-offer.
 * @throws Refusal topic_not_found, not_a_member, role_required, offer_not_found
 */
export const cancelOffer: Handler<typeof contract.ownership.cancel> = async (ctx, { topicId }) => {
  const { caller } = ctx;
  await write(ctx, async (trx) => {
    await authorizeLockedTopic(trx, topicId, caller, "edit");
    if (!(await openOffer(trx, topicId, ctx.now()))) throw new Refusal("offer_not_found");
    await endOffer(trx, topicId);
  });
  return { success: true };
};

/**
 * POST /api/topics/{topicId}/ownership-offer: accepting transfers the topic as PATCH members does.
 * @throws Refusal topic_not_found, not_a_member; offer_not_found without an open offer to the caller
 */
export const answerOffer: Handler<typeof contract.ownership.answer> = async (ctx, { topicId, accept }) => {
  const { caller } = ctx;
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    const topic = await authorizeLockedTopic(trx, topicId, caller, "inside");
    const offer = await openOffer(trx, topicId, now);
    if (offer?.user_id !== caller.userId) throw new Refusal("offer_not_found");
    const owner = topic.creator_id;
    if (accept) {
      const details = { accepted: "true" };
      await transferOwnership(trx, { topicId, from: owner, to: caller.userId, now, details });
    } else await endOffer(trx, topicId);
    const kind = accept ? "ownership_accepted" : "ownership_declined";
    await notify(trx, effects, { topicId, actorId: caller.userId, now }, [{ kind, to: [owner] }]);
  });
  return { success: true };
};

async function endOffer(trx: Trx, topicId: string): Promise<void> {
  await trx.deleteFrom("ownership_offers").where("topic_id", "=", topicId).execute();
}
