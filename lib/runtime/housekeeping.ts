import { setImmediate as yieldToRequests } from "node:timers/promises";
import { forgetPictureSlots } from "@/lib/community/anonymous/pictures";
import { deleteOldJoins } from "@/lib/community/chat/entries";
import { addUpLeftovers } from "@/lib/community/counters";
import { publishRoots } from "@/lib/community/crowd/publish";
import { eraseSnapshots } from "@/lib/community/desk/forget";
import { sweepHeldFiles } from "@/lib/community/desk/held-files";
import { recordLogHead } from "@/lib/community/desk/record-head";
import { forgetDrafts } from "@/lib/community/drafts/drafts";
import { publishDue } from "@/lib/community/drafts/publish";
import { sendAnnouncements } from "@/lib/community/notifications/announce";
import { sendDigests } from "@/lib/community/notifications/digest";
import { forgetOldNotifications } from "@/lib/community/notifications/forget";
import { forgetIdentities } from "@/lib/community/profile/identities";
import { forgetOldThreads } from "@/lib/community/reading/mark";
import { sweepRecords } from "@/lib/community/records/settle";
import { tellOfProofs } from "@/lib/community/topics/renew";
import { refreshMovedTopicScores } from "@/lib/community/topics/score";
import { passOrphanedTopics } from "@/lib/community/topics/succession";
import { forgetLimits } from "@/lib/community/trust/days";
import { addMissingDigests } from "@/lib/community/uploads/digests";
import { sweepWithheld } from "@/lib/community/uploads/of-post";
import { forgetRemoved } from "@/lib/community/uploads/removed";
import { sweepTakenDown, sweepUploads } from "@/lib/community/uploads/store";
import { sweepUnused } from "@/lib/community/uploads/used";
import { forgetTopicEvents, sendWebhooks } from "@/lib/community/webhooks/send";
import { every } from "@/lib/live/timers";
import { log } from "@/lib/log";
import { sealOldFacts } from "@/lib/session/fact-seals";
import type { Services } from "./assemble";

const SWEEP_MS = 10 * 60 * 1000;
/** How long expired entries of the embedded cache may stay in the database. */
const CACHE_SWEEP_MS = 60_000;
/** How long counters may lack what a process that was killed had appended. */
const COUNTERS_MS = 10_000;
/** How late a record may be settled that the member who asked for it did not wait for. */
const RECORDS_MS = 10_000;
/** How late a rescheduled push may be. */
const PUSH_MS = 30_000;
/** How late what a webhook tells may be. */
const WEBHOOKS_MS = 5_000;
const PUBLISH_MS = 10_000;
/** How late a root may be after its moment. */
const CROWDS_MS = 30_000;
/** How long a file may be left that an operator took down while the process died. */
const FILES_MS = 30_000;

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
  await forgetLimits(db, now());
  await deleteOldJoins(db, now());
  await forgetOldNotifications(services, now());
  await eraseSnapshots(db, now());
  await forgetRemoved(db, now());
  await sweepHeldFiles(services);
  await forgetOldThreads(db, now());
  await forgetDrafts(db, now());
  await forgetTopicEvents(db, now());
  await forgetPictureSlots(services);
  await sweepUploads(services);
  await sweepUnused(services);
  await sweepWithheld(services);
  await addMissingDigests(services);
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

interface Chore {
  readonly name: string;
  readonly everyMs: number;
  run(services: Services): Promise<unknown>;
}

/** In the order of a round: what members wait for comes first, and what may have to wait for a bucket last. */
const chores: readonly Chore[] = [
  { name: "counters", everyMs: COUNTERS_MS, run: ({ db }) => addUpLeftovers(db) },
  { name: "records", everyMs: RECORDS_MS, run: sweepRecords },
  { name: "scheduled posts", everyMs: PUBLISH_MS, run: (services) => publishDue(services) },
  { name: "announcements", everyMs: PUSH_MS, run: sendAnnouncements },
  { name: "webhooks", everyMs: WEBHOOKS_MS, run: sendWebhooks },
  { name: "pushes", everyMs: PUSH_MS, run: async ({ push }) => push.wake() },
  { name: "files", everyMs: FILES_MS, run: sweepTakenDown },
  { name: "crowds", everyMs: CROWDS_MS, run: publishRoots },
  { name: "log head", everyMs: SWEEP_MS, run: recordLogHead },
  { name: "cache", everyMs: CACHE_SWEEP_MS, run: sweepCache },
  { name: "scores", everyMs: SWEEP_MS, run: refreshScores },
  { name: "owners", everyMs: SWEEP_MS, run: (services) => passOrphanedTopics(services) },
  { name: "proofs", everyMs: SWEEP_MS, run: tellOfProofs },
  { name: "digests", everyMs: SWEEP_MS, run: sendDigests },
  { name: "expired", everyMs: SWEEP_MS, run: sweepExpired },
];

/** Does a chore. What fails is logged and done again the next time. */
async function attempt({ name, run }: Chore, services: Services): Promise<void> {
  await run(services).catch((error: unknown) => log.warn({ err: error, chore: name }, "housekeeping failed"));
}

/** Does all chores again and again, on unreferenced timers, and records at once. @returns stop */
export function startHousekeeping(services: Services): () => void {
  const stops = chores.map((chore) => every(chore.everyMs, () => attempt(chore, services)));
  void sweepRecords(services);
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Does each chore once, for platforms whose processes have no timers; any number of rounds may run at once.
 * @param budgetMs after which no further chore begins
 * @returns the names of the chores that were done
 */
export async function houseRound(services: Services, budgetMs: number): Promise<readonly string[]> {
  const ends = performance.now() + budgetMs;
  const done: string[] = [];
  for (const chore of chores) {
    if (performance.now() >= ends) break;
    await attempt(chore, services);
    done.push(chore.name);
  }
  // Pushes are sent after `wake`.
  await services.idle();
  return done;
}
