import { secondsUntilAskAgain } from "@/lib/policy/join";
import type { Db, Trx } from "../context";
import { refusal } from "../refusals";

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
 * Refuses whoever is waiting already, or was rejected or removed within the last 24 hours.
 * @throws Refusal request_pending or request_too_soon (with retryAfter)
 */
export async function demandMayAsk(db: Db, topicId: string, userId: string, now: Date): Promise<void> {
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
        .where("user_id", "=", userId),
    )
    .execute();
  if (requests.some((request) => request.status === "pending")) throw refusal("request_pending");
  const refusedAt = requests.map(({ at }) => at?.getTime() ?? 0);
  const latest = refusedAt.length === 0 ? null : new Date(Math.max(...refusedAt));
  const seconds = secondsUntilAskAgain(latest, now);
  if (seconds > 0) throw refusal("request_too_soon", { retryAfter: seconds });
}

/** Why and until when a user is muted in a topic now; null when they are not. */
export async function muteOf(
  db: Db,
  topicId: string,
  userId: string,
): Promise<{ reason: string; until: string | null } | null> {
  const row = await db
    .selectFrom("sanctions")
    .select(["reason", "until"])
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .where("kind", "=", "mute")
    .executeTakeFirst();
  return row ? { reason: row.reason, until: row.until?.toISOString() ?? null } : null;
}
