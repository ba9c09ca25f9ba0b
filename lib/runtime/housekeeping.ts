import { setImmediate as yieldToRequests } from "node:timers/promises";
import { forgetComings } from "@/lib/community/chat/comings";
import { forgetOldNotifications } from "@/lib/community/notifications/forget";
import { forgetIdentities } from "@/lib/community/profile/identities";
import { refreshMovedTopicScores } from "@/lib/community/topics/score";
import { sweepWithheld } from "@/lib/community/uploads/of-post";
import { sweepUploads } from "@/lib/community/uploads/store";
import { sweepUnused } from "@/lib/community/uploads/used";
import { log } from "@/lib/log";
import { sealOldFacts } from "@/lib/session/seal-old-facts";
import type { Services } from "./assemble";

const everyMs = 10 * 60 * 1000;
/** How long after their end entries of the embedded cache may lie in the database. */
const cacheEveryMs = 60_000;
/** How late a push that was put off may be. */
const pushEveryMs = 30_000;

const expiring = [
  "challenges",
  "verifications",
  "sessions",
  "proof_requests",
  "idempotency_keys",
  "invite_tokens",
] as const;

/** Deletes what expired long enough ago that nothing asks for it. */
export async function sweepExpired(
  services: Pick<Services, "db" | "facts" | "live" | "now" | "storage">,
): Promise<void> {
  const { db, now } = services;
  for (const table of expiring) {
    await db.deleteFrom(table).where("expires_at", "<", now()).execute();
  }
  await sealOldFacts(db, services.facts);
  await forgetIdentities(db, now());
  await forgetComings(db, now());
  await forgetOldNotifications(services, now());
  await sweepUploads(services);
  await sweepUnused(services);
  await sweepWithheld(services);
}

/** Deletes what the embedded cache kept and nobody can read any more. */
export async function sweepCache({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  await db.deleteFrom("cache_entries").where("expires_at", "<=", now()).execute();
}

/** Scores of topics whose seven-day window moved, in rounds that leave room for requests between them. */
async function refreshScores({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  const round = 200;
  while ((await refreshMovedTopicScores(db, now(), round)) === round) await yieldToRequests();
}

/**
 * Sweeps and refreshes every ten minutes, and sends what waits to be pushed; the timers do not keep the process alive.
 * @returns what stops it
 */
export function startHousekeeping(services: Services): () => void {
  const timer = setInterval(() => {
    // The sweep last: it may have to wait for a bucket.
    refreshScores(services)
      .then(() => sweepExpired(services))
      .catch((error: unknown) => log.warn({ err: error }, "housekeeping failed"));
  }, everyMs);
  const pushes = setInterval(() => services.push.wake(), pushEveryMs);
  const cached = setInterval(() => {
    sweepCache(services).catch((error: unknown) => log.warn({ err: error }, "the cache was not swept"));
  }, cacheEveryMs);
  const timers = [timer, pushes, cached];
  for (const each of timers) each.unref();
  return () => {
    for (const each of timers) clearInterval(each);
  };
}
