import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { AccountAction } from "@/lib/contract/desk-actions";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { deskAccess, mayUndoFor } from "@/lib/policy/desk";
import { freeNickname } from "@/lib/session/nickname";
import { generatedNickname, nicknameKey } from "@/lib/session/users";
import { parseKey } from "@/lib/storage/keys";
import { notify } from "../notifications/notify";
import { passOrphanedTopics } from "../topics/succession";
import { removeUploads } from "../uploads/store";
import { type Effects, write } from "../write";
import { type LockedAccount, lockAccount } from "./account";
import { logOperatorAct } from "./log";

/** What an operator does to an account: in the log and, under the same name, in a notification. */
interface AccountAct {
  readonly action: AccountAction;
  readonly userId: string;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, string>>;
}

/**
 * Does something to an account, logs it and tells its user, in one transaction.
 * @param work returns null where it changed nothing, which is not logged
 * @throws Refusal operator_required, user_not_found
 */
async function actOn<T>(
  ctx: MemberContext,
  act: AccountAct,
  work: (trx: Trx, account: LockedAccount, effects: Effects) => Promise<T>,
): Promise<T> {
  return await write(ctx, (trx, effects) => actWithin(trx, effects, ctx, act, work));
}

/** As `actOn`, in a transaction. */
async function actWithin<T>(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  act: AccountAct,
  work: (trx: Trx, account: LockedAccount, effects: Effects) => Promise<T>,
): Promise<T> {
  const { caller } = ctx;
  assertAllowed(deskAccess(caller.operator).act);
  const { action, userId, reason, details } = act;
  const who = { actorId: caller.userId, now: ctx.now() };
  const done = await work(trx, await lockAccount(trx, userId), effects);
  if (done === null) return done;
  await logOperatorAct(trx, {
    ...who,
    role: "operator",
    action,
    targetKind: "profile",
    targetId: userId,
    reason,
    details,
  });
  const sent = { kind: action, to: [userId], reason, details };
  await notify(trx, effects, { ...who, topicId: null }, [sent]);
  return done;
}

/**
 * POST /api/desk/accounts/{userId}/sanctions: silences or suspends an account. A suspension ends its sessions; it is
 * enforced where callers are established (lib/session/caller.ts).
 * @throws Refusal operator_required, user_not_found, operator_protected
 */
export const sanctionAccount: Handler<typeof contract.desk.sanction> = async (ctx, input) => {
  const { userId, kind, reason } = input;
  const until = input.until ? new Date(input.until) : null;
  const now = ctx.now();
  const action = kind === "silence" ? "account_silenced" : "account_suspended";
  const details: Record<string, string> = until ? { until: until.toISOString() } : {};
  await actOn(ctx, { action, userId, reason, details }, async (trx, account, effects) => {
    await assertNoRole(trx, ctx, userId);
    const written = { user_id: userId, reason, created_at: now, created_by: ctx.caller.userId, until };
    await trx
      .insertInto("account_sanctions")
      .values({ identity_hash: account.identityHash, kind, ...written })
      .onConflict((conflict) => conflict.columns(["identity_hash", "kind"]).doUpdateSet(written))
      .execute();
    if (kind === "suspend") await endSessions(trx, effects, userId);
  });
  // In transactions of their own: topics are locked before accounts. Housekeeping passes on what this does not.
  if (kind === "suspend" && !until)
    ctx.later("topics of a suspended owner", () => passOrphanedTopics(ctx, userId));
  return {
    sanction: { kind, reason, createdAt: now.toISOString(), until: until?.toISOString() ?? null },
  };
};

/** Nobody sanctions those with a role, so that two operators cannot shut each other out. */
async function assertNoRole(trx: Trx, { adminUserIds }: MemberContext, userId: string): Promise<void> {
  const row = await trx
    .selectFrom("operators")
    .select("role")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (row || adminUserIds.has(userId)) throw new Refusal("operator_protected", { field: "userId" });
}

/** @returns how many there were */
async function endSessions(trx: Trx, effects: Effects, userId: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  effects.publish({ kind: "access", userId });
  return Number(numDeletedRows);
}

/**
 * DELETE /api/desk/accounts/{userId}/sanctions.
 * @throws Refusal operator_required, user_not_found, own_case; sanction_not_found, also after it ended
 */
export const liftAccountSanction: Handler<typeof contract.desk.lift> = async (
  ctx,
  { userId, kind, reason },
) => {
  const action = kind === "silence" ? "account_unsilenced" : "account_unsuspended";
  await actOn(ctx, { action, userId, reason }, async (trx, { identityHash }) => {
    assertAllowed(mayUndoFor(userId, ctx.caller.userId));
    const lifted = await trx
      .deleteFrom("account_sanctions")
      .where("identity_hash", "=", identityHash)
      .where("kind", "=", kind)
      .where((eb) => eb.or([eb("until", "is", null), eb("until", ">", ctx.now())]))
      .returning("kind")
      .executeTakeFirst();
    if (!lifted) throw new Refusal("sanction_not_found", { field: "kind" });
  });
  return { success: true };
};

/**
 * DELETE /api/desk/accounts/{userId}/sessions.
 * @throws Refusal operator_required, user_not_found
 */
export const endAccountSessions: Handler<typeof contract.desk.endSessions> = async (
  ctx,
  { userId, reason },
) => {
  const act = { action: "sessions_ended", userId, reason } as const;
  const ended = await actOn(ctx, act, (trx, _, effects) => endSessions(trx, effects, userId));
  return { success: true, ended };
};

/**
 * DELETE /api/desk/accounts/{userId}/nickname: as if the user had not chosen one yet. Nobody can take the old one for 30
 * days, not even they.
 * @throws Refusal operator_required, user_not_found
 */
export const resetNickname: Handler<typeof contract.desk.resetNickname> = async (ctx, profile) => {
  return { nickname: await write(ctx, (trx, effects) => resetNicknameWithin(trx, effects, ctx, profile)) };
};

interface Profile {
  readonly userId: string;
  readonly reason: string;
}

/** @returns the new nickname */
export async function resetNicknameWithin(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { userId, reason }: Profile,
): Promise<string> {
  const nickname = generatedNickname();
  await actWithin(trx, effects, ctx, { action: "nickname_reset", userId, reason }, async () => {
    await freeNickname(trx, userId, null, ctx.now());
    await trx
      .updateTable("users")
      .set({ nickname, nickname_key: nicknameKey(nickname), nickname_set: false, nickname_skeleton: null })
      .where("id", "=", userId)
      .execute();
    effects.publish({ kind: "access", userId });
  });
  return nickname;
}

/**
 * DELETE /api/desk/accounts/{userId}/image: removes a profile image, and its file before the response. Without an image,
 * nothing changes and nothing is logged.
 * @throws Refusal operator_required, user_not_found
 */
export const removeAccountImage: Handler<typeof contract.desk.removeImage> = async (ctx, profile) => {
  const gone = await write(ctx, (trx, effects) => removeImageWithin(trx, effects, ctx, profile));
  await removeUploads(ctx, gone ?? []);
  return { success: true };
};

/** @returns the keys of files for `removeUploads` after the commit; null if there was no image */
export async function removeImageWithin(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { userId, reason }: Profile,
): Promise<readonly string[] | null> {
  return await actWithin(trx, effects, ctx, { action: "image_removed", userId, reason }, async () => {
    const { profile_image: image } = await trx
      .selectFrom("users")
      .select("profile_image")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    if (image === null) return null;
    await trx.updateTable("users").set({ profile_image: null }).where("id", "=", userId).execute();
    const key = ctx.storage.keyOf(image);
    if (!key || parseKey(key)?.userId !== userId) return [];
    await trx.updateTable("uploads").set({ stored: false }).where("key", "=", key).execute();
    return [key];
  });
}

/**
 * GET /api/desk/accounts/{userId}: what is known of an account that matters for a decision.
 * @throws Refusal operator_required, user_not_found
 */
export const readAccount: Handler<typeof contract.desk.account> = async (ctx, { userId }) => {
  const { caller, db, adminUserIds } = ctx;
  assertAllowed(deskAccess(caller.operator).review);
  const user = await db
    .selectFrom("users as u")
    .leftJoin("operators as o", "o.user_id", "u.id")
    .select(["u.id", "u.nickname", "u.profile_image", "u.identity_hash", "o.role"])
    .where("u.id", "=", userId)
    .executeTakeFirst();
  if (!user) throw new Refusal("user_not_found");
  const sanctions = await db
    .selectFrom("account_sanctions")
    .select(["kind", "reason", "created_at", "until"])
    .where("identity_hash", "=", user.identity_hash ?? "")
    .where((eb) => eb.or([eb("until", "is", null), eb("until", ">", ctx.now())]))
    .orderBy("kind")
    .execute();
  const { rows } = await sql<Record<"status" | "side", string> & { readonly count: number }>`
    select side, status, count(*)::int as count from (
      select 'about' as side, status from desk_reports where subject_id = ${userId}
      union all select 'about', status from desk_reports where kind = 'profile' and target_id = ${userId}
      union all select 'by', status from desk_reports where reporter_id = ${userId}) r
    group by side, status`.execute(db);
  const countsOf = (side: "about" | "by") => {
    const count = (status: string) =>
      rows.find((row) => row.side === side && row.status === status)?.count ?? 0;
    return { open: count("open"), dismissed: count("dismissed"), resolved: count("resolved") };
  };
  return {
    user: { userId: user.id, nickname: user.nickname, profileImage: user.profile_image },
    role: adminUserIds.has(userId) ? "operator" : user.role,
    sanctions: sanctions.map((row) => ({
      kind: row.kind,
      reason: row.reason,
      createdAt: row.created_at.toISOString(),
      until: row.until?.toISOString() ?? null,
    })),
    reportsAbout: countsOf("about"),
    reportsBy: countsOf("by"),
  };
};
