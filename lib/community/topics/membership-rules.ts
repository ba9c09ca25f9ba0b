import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Caller } from "@/lib/context";
import { Refusal } from "@/lib/errors";
import { assertAllowed, type Decision } from "@/lib/policy/decision";
import { secondsUntilAskAgain } from "@/lib/policy/topic";
import { formerAccounts } from "../profile/identities";

/** A user who joins or asks to join a topic, and when. */
export interface Applicant {
  readonly topicId: string;
  readonly userId: string;
  readonly now: Date;
}

/** Whether the user has a pending join request. */
export async function hasPendingRequest(db: Db | Trx, topicId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("join_requests")
    .select("id")
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .where("status", "=", "pending")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Refuses a join without an invite after a pending request, a ban, or a rejection or removal in the last 24 hours.
 * @throws Refusal request_pending, banned (with `until`), or request_too_soon (with retryAfter)
 */
export async function assertMayAsk(db: Db | Trx, who: Applicant): Promise<void> {
  const { topicId, userId } = who;
  const requests = await db
    .selectFrom("join_requests")
    .select(["status", "decided_at as at"])
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .where("status", "in", ["pending", "rejected"])
    .unionAll(
      db
        .selectFrom("removals")
        .select((eb) => [eb.val<"rejected" | "pending">("rejected").as("status"), "removed_at as at"])
        .where("topic_id", "=", topicId)
        .where(isTheirs(topicId, userId)),
    )
    .unionAll(
      db
        .selectFrom("remembered_identities")
        .select((eb) => [eb.val<"rejected" | "pending">("rejected").as("status"), "rejected_at as at"])
        .where("topic_id", "=", topicId)
        .where("rejected_at", "is not", null)
        .where(isTheirs(topicId, userId)),
    )
    .execute();
  if (requests.some((request) => request.status === "pending")) throw new Refusal("request_pending");
  await assertNotBanned(db, who);
  const refusedAt = requests.map(({ at }) => at?.getTime() ?? 0);
  assertWaited(refusedAt.length === 0 ? null : new Date(Math.max(...refusedAt)), who.now);
}

/**
 * Refuses to let a removed person back in for 24 hours, by any way and with any account. Call it after the proof was
 * bound to the account, since the proof may show that this person had another account here. A rejection does not close
 * an invite, because members decide whom they invite.
 * @throws Refusal request_too_soon (with retryAfter)
 */
export async function assertNotRemoved(db: Db | Trx, { topicId, userId, now }: Applicant): Promise<void> {
  const removal = await db
    .selectFrom("removals")
    .select("removed_at")
    .where("topic_id", "=", topicId)
    .where(isTheirs(topicId, userId))
    .orderBy("removed_at", "desc")
    .executeTakeFirst();
  assertWaited(removal?.removed_at ?? null, now);
}

/**
 * SQL: a row belongs to this user, or to an account they withdrew that this topic remembers (profile/identities.ts).
 */
export function isTheirs(topicId: string, userId: string) {
  return sql<boolean>`(user_id = ${userId} or user_id in ${formerAccounts(sql`${topicId}::uuid`, userId)})`;
}

function assertWaited(refusedAt: Date | null, now: Date): void {
  const seconds = secondsUntilAskAgain(refusedAt, now);
  if (seconds > 0) throw new Refusal("request_too_soon", { retryAfter: seconds });
}

/**
 * Returns the end of a user's ban from a topic, for the error body; null if no ban is in force. The ban of a withdrawn
 * account also applies to an account with the same identity (profile/account.ts).
 */
export async function banOf(
  db: Db | Trx,
  { topicId, userId, now }: Applicant,
): Promise<{ until: string | null } | null> {
  const row = await db
    .selectFrom("sanctions")
    .select("until")
    .where("topic_id", "=", topicId)
    .where(isTheirs(topicId, userId))
    .where("kind", "=", "ban")
    .where((eb) => eb.or([eb("until", "is", null), eb("until", ">", now)]))
    .executeTakeFirst();
  return row ? { until: row.until?.toISOString() ?? null } : null;
}

/** @throws Refusal banned, with `until` in its body */
export async function assertNotBanned(db: Db | Trx, who: Applicant): Promise<void> {
  const ban = await banOf(db, who);
  if (ban) throw new Refusal("banned", { extra: ban });
}

/**
 * `assertAllowed` for decisions that depend on membership: the refusal of a member who may not write says why, and when
 * that ends.
 * @throws Refusal unless the decision is "allowed"; instead of muted also topic_frozen and silenced. muted and silenced
 * have `until` in their bodies
 */
export async function assertAllowedIn(
  db: Db | Trx,
  decision: Decision,
  topicId: string,
  caller: Caller | null,
): Promise<void> {
  if (decision !== "muted" || !caller) return assertAllowed(decision);
  const topic = await db
    .selectFrom("topics")
    .select("frozen_at")
    .where("id", "=", topicId)
    .executeTakeFirst();
  if (topic?.frozen_at) throw new Refusal("topic_frozen");
  await assertNotSilenced(db, caller.userId);
  const mute = await muteOf(db, topicId, caller.userId);
  throw new Refusal("muted", { extra: { until: mute?.until ?? null } });
}

/** @throws Refusal silenced, with `until` and `reason` in its body */
export async function assertNotSilenced(db: Db | Trx, userId: string): Promise<void> {
  const silence = await silenceOf(db, userId);
  if (silence) throw new Refusal("silenced", { extra: silence });
}

/** Returns reason and end of the silence that an operator imposed on a user; null if none is in force. */
async function silenceOf(
  db: Db | Trx,
  userId: string,
): Promise<{ reason: string; until: string | null } | null> {
  const row = await db
    .selectFrom("account_sanctions as a")
    .innerJoin("users as u", "u.identity_hash", "a.identity_hash")
    .select(["a.reason", "a.until"])
    .where("u.id", "=", userId)
    .where("a.kind", "=", "silence")
    .where(sql<boolean>`(a.until is null or a.until > now())`)
    .executeTakeFirst();
  return row ? { reason: row.reason, until: row.until?.toISOString() ?? null } : null;
}

/**
 * Returns reason and end of what keeps a user from writing in a topic: an operator's silence, or else their mute there;
 * null for neither.
 */
export async function muteOf(
  db: Db | Trx,
  topicId: string,
  userId: string,
): Promise<{ reason: string; until: string | null } | null> {
  const silence = await silenceOf(db, userId);
  if (silence) return silence;
  const row = await db
    .selectFrom("sanctions")
    .select(["reason", "until"])
    .where("topic_id", "=", topicId)
    .where(isTheirs(topicId, userId))
    .where("kind", "=", "mute")
    // The longest one first.
    .orderBy(sql`until is null`, "desc")
    .orderBy("until", "desc")
    .executeTakeFirst();
  return row ? { reason: row.reason, until: row.until?.toISOString() ?? null } : null;
}
