import { setImmediate as yieldToRequests } from "node:timers/promises";
import { deleteOldJoins } from "@/lib/community/chat/entries";
import { addUpLeftovers } from "@/lib/community/counters";
import { forgetOldNotifications } from "@/lib/community/notifications/forget";
import { forgetIdentities } from "@/lib/community/profile/identities";
import { refreshMovedTopicScores } from "@/lib/community/topics/score";
import { sweepWithheld } from "@/lib/community/uploads/of-post";
import { sweepUploads } from "@/lib/community/uploads/store";
import { sweepUnused } from "@/lib/community/uploads/used";
import { every } from "@/lib/live/timers";
import { log } from "@/lib/log";
import { sealOldFacts } from "@/lib/session/fact-seals";
import type { Services } from "./assemble";

const SWEEP_MS = 10 * 60 * 1000;
/** How long expired entries of the embedded cache may stay in the database. */
const CACHE_SWEEP_MS = 60_000;
/** How long counters may lack what a process that was killed had appended. */
const COUNTERS_MS = 10_000;
/** How late a rescheduled push may be. */
const PUSH_MS = 30_000;

const expiring = [
  "challenges",
  "verifications",
  "sessions",
  "proof_requests",
  "idempotency_keys",
  "invite_tokens",
] as const;

/** Deletes expired rows. */
export async function sweepExpired(
  services: Pick<Services, "db" | "facts" | "live" | "now" | "storage">,
): Promise<void> {
  const { db, now } = services;
  for (const table of expiring) {
    await db.deleteFrom(table).where("expires_at", "<", now()).execute();
  }
  await sealOldFacts(db, services.facts);
  await forgetIdentities(db, now());
  await deleteOldJoins(db, now());
  await forgetOldNotifications(services, now());
  await sweepUploads(services);
  await sweepUnused(services);
  await sweepWithheld(services);
}

/** Deletes expired entries of the embedded cache. */
export async function sweepCache({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  await db.deleteFrom("cache_entries").where("expires_at", "<=", now()).execute();
}

/** Updates the scores of topics whose seven-day window moved, in rounds that leave room for requests. */
async function refreshScores({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  const round = 200;
  while ((await refreshMovedTopicScores(db, now(), round)) === round) await yieldToRequests();
}

/** Runs housekeeping every ten minutes and sends rescheduled pushes, on unreferenced timers. @returns stop */
export function startHousekeeping(services: Services): () => void {
  const stops = [
    every(SWEEP_MS, () =>
      // The sweep comes last: it may have to wait for a bucket.
      refreshScores(services)
        .then(() => sweepExpired(services))
        .catch((error: unknown) => log.warn({ err: error }, "housekeeping failed")),
    ),
    every(COUNTERS_MS, () =>
      addUpLeftovers(services.db).catch((error: unknown) => log.warn({ err: error }, "counters are behind")),
    ),
    every(PUSH_MS, () => services.push.wake()),
    every(CACHE_SWEEP_MS, () =>
      sweepCache(services).catch((error: unknown) => log.warn({ err: error }, "could not sweep the cache")),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
