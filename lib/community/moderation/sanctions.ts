import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { SanctionTable } from "@/db/schema/moderation";
import type { Handler } from "@/lib/context";
import type { contract, Role } from "@/lib/contract";
import type { Sanction } from "@/lib/contract/moderation";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { mayDiscipline } from "@/lib/policy/topic";
import { notify } from "../notifications/notify";
import { decodeCursor, pageOf } from "../paging";
import { authorizeTopic } from "../topics/load";
import { authorizeLockedTopic, expel, roleOf } from "../topics/membership";
import { topicScoreLater } from "../topics/score";
import { moveWithheld } from "../uploads/of-post";
import { write } from "../write";
import { hideAuthored, lockAuthored, nothingHidden } from "./hide-authored";
import { logStaffAct } from "./log";

interface SanctionRow {
  readonly id: string;
  readonly key: Date;
  readonly kind: SanctionTable["kind"];
  readonly reason: string;
  readonly until: Date | null;
  readonly user_id: string;
  readonly nickname: string;
  readonly image: string | null;
  readonly by_id: string;
  readonly by_nickname: string;
  readonly by_image: string | null;
  /** Role of the sanctioned user; null for someone who is not a member. */
  readonly role: Role | null;
}

/**
 * GET /api/topics/{topicId}/sanctions: mutes and bans in force, latest first.
 * @throws Refusal topic_not_found, not_a_member, role_required
 */
export const listSanctions: Handler<typeof contract.moderation.sanctions> = async (ctx, input) => {
  const { caller, db } = ctx;
  const sort = "sanctions";
  const topic = await authorizeTopic(db, input.topicId, caller, "moderate");
  const cursor = decodeCursor(input.cursor, { sort, kind: "time" });
  const rows = await selectSanctions(
    db,
    sql`where s.topic_id = ${topic.id} and (s.until is null or s.until > ${ctx.now()})
      ${cursor ? sql`and (s.created_at, s.id) < (${new Date(cursor.key)}, ${cursor.id})` : sql``}
      order by s.created_at desc, s.id desc limit ${input.limit + 1}`,
  );
  const page = pageOf(rows, { ...input, sort });
  const sanctions = page.rows.map((row) => sanctionView(row, topic.role, caller.userId));
  return { sanctions, nextCursor: page.nextCursor };
};

async function selectSanctions(db: Db | Trx, which: ReturnType<typeof sql>): Promise<SanctionRow[]> {
  const { rows } = await sql<SanctionRow>`
    select s.id, s.created_at as key, s.kind, s.reason, s.until,
      u.id as user_id, u.nickname, u.profile_image as image,
      b.id as by_id, b.nickname as by_nickname, b.profile_image as by_image, m.role
    from sanctions s join users u on u.id = s.user_id join users b on b.id = s.created_by
    left join memberships m on m.topic_id = s.topic_id and m.user_id = s.user_id ${which}`.execute(db);
  return rows;
}

/** Returns a sanction as staff see it. @param actor role of that staff member */
function sanctionView(row: SanctionRow, actor: Role | null, callerId: string): Sanction {
  const mayLift = mayDiscipline(actor, row.role, row.user_id === callerId) === "allowed";
  return {
    user: { userId: row.user_id, nickname: row.nickname, profileImage: row.image },
    kind: row.kind,
    reason: row.reason,
    createdAt: row.key.toISOString(),
    createdBy: { userId: row.by_id, nickname: row.by_nickname, profileImage: row.by_image },
    until: row.until?.toISOString() ?? null,
    abilities: mayLift ? ["lift"] : [],
  };
}

/**
 * POST /api/topics/{topicId}/sanctions: mutes a member, or bans a member or another user. A ban ends the membership in
 * the same transaction. A later sanction of the same kind replaces the earlier one.
 * @throws Refusal topic_not_found, not_a_member, role_required, member_not_found (no such user, or no member to mute)
 */
export const imposeSanction: Handler<typeof contract.moderation.sanction> = async (ctx, input) => {
  const { caller } = ctx;
  const { topicId, userId, kind, reason, hide: scope } = input;
  const until = input.until ? new Date(input.until) : null;
  const now = ctx.now();
  const { sanction, hidden } = await write(ctx, async (trx, effects) => {
    const authored = scope && { topicId, userId, scope, reason, now };
    if (authored) {
      await authorizeTopic(trx, topicId, caller, "moderate");
      await lockAuthored(trx, authored);
    }
    const topic = await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const target = await roleOf(trx, topicId, userId);
    if (!target && (kind === "mute" || !(await userExists(trx, userId)))) {
      throw new Refusal("member_not_found", { field: "userId" });
    }
    assertAllowed(mayDiscipline(topic.role, target, userId === caller.userId));
    const written = { reason, until, created_at: now, created_by: caller.userId };
    await trx
      .insertInto("sanctions")
      .values({ topic_id: topicId, user_id: userId, kind, ...written })
      .onConflict((conflict) => conflict.columns(["topic_id", "user_id", "kind"]).doUpdateSet(written))
      .execute();
    if (kind === "ban") await expel(trx, { topicId, userId, now });
    const action = kind === "ban" ? "member_banned" : "member_muted";
    const act = { topicId, actorId: caller.userId, now };
    const details: Record<string, string> = until ? { until: until.toISOString() } : {};
    await logStaffAct(trx, { ...act, subjectId: userId, action, reason, details });
    const hidden = authored ? await hideAuthored(trx, effects, ctx, authored) : nothingHidden;
    const count = hidden.posts + hidden.comments + hidden.messages;
    const told = count > 0 ? { ...details, hidden: String(count) } : details;
    // Someone who never was a member gets no notifications of this topic.
    const to = kind === "mute" || (await wasExpelled(trx, topicId, userId)) ? [userId] : [];
    await notify(trx, effects, act, [{ kind: action, to, reason, details: told }]);
    if (kind === "ban") effects.publish({ kind: "access", topicId, userId });
    const [row] = await selectSanctions(
      trx,
      sql`where s.topic_id = ${topicId} and s.user_id = ${userId} and s.kind = ${kind}`,
    );
    if (!row) throw new Error("the sanction was not written");
    return { sanction: sanctionView(row, topic.role, caller.userId), hidden };
  });
  await moveWithheld(ctx, hidden.pictures);
  if (kind === "ban") topicScoreLater(ctx, topicId);
  return { sanction, hiddenTexts: hidden.posts + hidden.comments + hidden.messages };
};

async function wasExpelled(trx: Trx, topicId: string, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("removals")
    .select("user_id")
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}

async function userExists(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * DELETE /api/topics/{topicId}/sanctions: lifts a mute or a ban. Lifting a ban also ends the wait of 24 hours that
 * began with its removal, since it means that the user may come back.
 * @throws Refusal topic_not_found, not_a_member, role_required, sanction_not_found (also after it ended)
 */
export const liftSanction: Handler<typeof contract.moderation.lift> = async (
  ctx,
  { topicId, userId, kind, reason },
) => {
  const { caller } = ctx;
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    const topic = await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const target = await roleOf(trx, topicId, userId);
    assertAllowed(mayDiscipline(topic.role, target, userId === caller.userId));
    const lifted = await trx
      .deleteFrom("sanctions")
      .where("topic_id", "=", topicId)
      .where("user_id", "=", userId)
      .where("kind", "=", kind)
      .where((eb) => eb.or([eb("until", "is", null), eb("until", ">", now)]))
      .returning("user_id")
      .executeTakeFirst();
    if (!lifted) throw new Refusal("sanction_not_found", { field: "userId" });
    const to = kind === "mute" || (await wasExpelled(trx, topicId, userId)) ? [userId] : [];
    if (kind === "ban") {
      await trx
        .deleteFrom("removals")
        .where("topic_id", "=", topicId)
        .where("user_id", "=", userId)
        .execute();
    }
    const action = kind === "ban" ? "member_unbanned" : "member_unmuted";
    const act = { topicId, actorId: caller.userId, now };
    await logStaffAct(trx, { ...act, subjectId: userId, action, reason });
    await notify(trx, effects, act, [{ kind: action, to, reason }]);
  });
  return { success: true };
};
