import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import { Refusal } from "@/lib/errors";
import { assertAllowed, type Decision } from "@/lib/policy/decision";
import { secondsUntilAskAgain } from "@/lib/policy/join";
import { formerAccounts } from "../profile/identities";

/** A user in a topic, at a moment. */
export interface Applicant {
  readonly topicId: string;
  readonly userId: string;
  readonly now: Date;
}

/** True while a join request of this user waits for an answer. */
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
 * What keeps a user from the plain join: a request that waits, a ban, a rejection or removal of the last 24 hours.
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
 * Whoever was removed waits 24 hours, whatever way they take back in, and under whatever account: to be asked after the
 * proof that enters was bound, which may show that this person was here under another. A rejection does not close an invite: to hand
 * one out is the members' own decision.
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

/** SQL: a row is this user's, or of an account that they withdrew and this topic remembers (profile/identities.ts). */
export function isTheirs(topicId: string, userId: string) {
  return sql<boolean>`(user_id = ${userId} or user_id in ${formerAccounts(sql`${topicId}::uuid`, userId)})`;
}

function assertWaited(refusedAt: Date | null, now: Date): void {
  const seconds = secondsUntilAskAgain(refusedAt, now);
  if (seconds > 0) throw new Refusal("request_too_soon", { retryAfter: seconds });
}

/**
 * The end of a user's ban from a topic as the error body carries it; null when no ban is in force. A ban of an account
 * that was withdrawn holds for whoever signs in with the same identity (profile/account.ts).
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

/** @throws Refusal banned, whose body says until when */
export async function assertNotBanned(db: Db | Trx, who: Applicant): Promise<void> {
  const ban = await banOf(db, who);
  if (ban) throw new Refusal("banned", { extra: ban });
}

/**
 * `assertAllowed` for writes of members: a refusal because of a mute says until when the mute lasts.
 * @param decision what the policy says of the write
 * @throws Refusal unless the rule says allowed; muted carries `until` in its body
 */
export async function assertMayWrite(
  db: Db | Trx,
  decision: Decision,
  where: { readonly topicId: string; readonly userId: string },
): Promise<void> {
  if (decision !== "muted") return assertAllowed(decision);
  const mute = await muteOf(db, where.topicId, where.userId);
  throw new Refusal("muted", { extra: { until: mute?.until ?? null } });
}

/** Why and until when a muted user is muted in a topic; null when they never were. */
export async function muteOf(
  db: Db | Trx,
  topicId: string,
  userId: string,
): Promise<{ reason: string; until: string | null } | null> {
  const row = await db
    .selectFrom("sanctions")
    .select(["reason", "until"])
    .where("topic_id", "=", topicId)
    .where(isTheirs(topicId, userId))
    .where("kind", "=", "mute")
    // The one that lasts longest.
    .orderBy(sql`until is null`, "desc")
    .orderBy("until", "desc")
    .executeTakeFirst();
  return row ? { reason: row.reason, until: row.until?.toISOString() ?? null } : null;
}
