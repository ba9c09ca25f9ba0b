import { sql } from "kysely";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { deskAccess } from "@/lib/policy/desk";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { notify } from "../notifications/notify";
import { write } from "../write";
import { lockAccount } from "./account";
import { logOperatorAct } from "./log";

/**
 * GET /api/desk/operators: those by ADMIN_USER_IDS, then the others by the time of their grant.
 * @throws Refusal operator_required
 */
export const listOperators: Handler<typeof contract.desk.operators> = async ({
  caller,
  db,
  adminUserIds,
}) => {
  assertAllowed(deskAccess(caller.operator).review);
  const rows = await db
    .selectFrom("users as u")
    .leftJoin("operators as o", "o.user_id", "u.id")
    .select(["u.id", "u.nickname", "u.profile_image", "o.role", "o.granted_at"])
    .where(sql<boolean>`(o.user_id is not null or u.id = any(${[...adminUserIds]}::text[]))`)
    .where("u.deleted_at", "is", null)
    .orderBy("o.granted_at")
    .orderBy("u.id")
    .execute();
  const operators = rows.map((row) => {
    const isConfigured = adminUserIds.has(row.id);
    return {
      user: { userId: row.id, nickname: row.nickname, profileImage: row.profile_image },
      role: isConfigured ? ("operator" as const) : (row.role ?? "reviewer"),
      isConfigured,
      grantedAt: isConfigured ? null : (row.granted_at?.toISOString() ?? null),
    };
  });
  return { operators: operators.toSorted((a, b) => Number(b.isConfigured) - Number(a.isConfigured)) };
};

/**
 * PUT /api/desk/operators: grants a role, or replaces it by the other one. Granting the current role changes nothing.
 * @throws Refusal operator_required, fresh_proof_required, user_not_found, operator_configured
 */
export const grantOperator: Handler<typeof contract.desk.grant> = async (ctx, { userId, role, reason }) => {
  const { caller, adminUserIds } = ctx;
  assertAllowed(deskAccess(caller.operator).appoint);
  assertFreshProof(ctx);
  if (adminUserIds.has(userId)) throw new Refusal("operator_configured", { field: "userId" });
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    await lockAccount(trx, userId);
    const granted = { role, granted_by: caller.userId, granted_at: now };
    const changed = await trx
      .insertInto("operators")
      .values({ user_id: userId, ...granted })
      .onConflict((conflict) =>
        conflict.column("user_id").doUpdateSet(granted).where("operators.role", "!=", role),
      )
      .returning("user_id")
      .executeTakeFirst();
    if (!changed) return;
    const act = { actorId: caller.userId, now };
    const details = { role };
    await logOperatorAct(trx, {
      ...act,
      role: "operator",
      action: "operator_granted",
      targetKind: "profile",
      targetId: userId,
      reason,
      details,
    });
    const sent = { kind: "operator_granted", to: [userId], reason, details } as const;
    await notify(trx, effects, { ...act, topicId: null }, [sent]);
  });
  return { success: true, role };
};

/**
 * DELETE /api/desk/operators: takes a role. It ends with the user's next request.
 * @throws Refusal operator_required, fresh_proof_required, operator_configured; user_not_found for someone without a role
 */
export const takeOperator: Handler<typeof contract.desk.take> = async (ctx, { userId, reason }) => {
  const { caller, adminUserIds } = ctx;
  assertAllowed(deskAccess(caller.operator).appoint);
  assertFreshProof(ctx);
  if (adminUserIds.has(userId)) throw new Refusal("operator_configured", { field: "userId" });
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    const taken = await trx
      .deleteFrom("operators")
      .where("user_id", "=", userId)
      .returning("role")
      .executeTakeFirst();
    if (!taken) throw new Refusal("user_not_found", { field: "userId" });
    const act = { actorId: caller.userId, now };
    await logOperatorAct(trx, {
      ...act,
      role: "operator",
      action: "operator_taken",
      targetKind: "profile",
      targetId: userId,
      reason,
      details: { role: taken.role },
    });
    const sent = { kind: "operator_taken", to: [userId], reason, details: { role: taken.role } } as const;
    await notify(trx, effects, { ...act, topicId: null }, [sent]);
  });
  return { success: true };
};
