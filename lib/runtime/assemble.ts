import { RateLimiterMemory } from "rate-limiter-flexible";
import type { OpenDatabase } from "@/db/client";
import type { Context } from "@/lib/context";
import { createLive, type StreamCounts } from "@/lib/live/create";
import type { LiveSettings } from "@/lib/live/settings";
import { log } from "@/lib/log";
import { publicWeb } from "@/lib/preview/web";
import type { MembershipVerifier } from "@/lib/proofs/anonymous/verifier";
import { createPush } from "@/lib/push";
import { COUNTING, countersOf, RateLimiter } from "@/lib/rate-limit";
import { createAppKeys } from "@/lib/session/app-keys";
import type { CallerSources } from "@/lib/session/caller";
import { createFactSeals } from "@/lib/session/fact-seals";
import { createSessionTokens } from "@/lib/session/tokens";
import { createTopicKeys, createWebhookSecrets } from "@/lib/session/topic-keys";
import { Changes } from "./changes";
import type { Config } from "./config";
import { type CacheReads, GuestAnswers } from "./guest-answers";

/** What all requests of an installation share. */
export interface Services extends Omit<Context, "caller">, CallerSources {
  /** Checks proofs of membership; closed with the services. */
  readonly memberships: Pick<MembershipVerifier, "verify" | "close">;
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly limiter: RateLimiter;
  /** For requests of which nothing may be written down: its counters are in this process alone. */
  readonly unknownLimiter: RateLimiter;
  /** Which cached pages are current. */
  readonly changes: Changes;
  readonly guestAnswers: GuestAnswers;
  /** Of pages for guests (lib/server/guest-pages.ts). */
  readonly pageReads: CacheReads;
  /** Counts the event streams of this process. */
  readonly streams: () => StreamCounts;
  /** Resolves when no work of `later` is running. */
  idle(): Promise<void>;
  /** Ends event streams, finishes pending work and closes cache and database. */
  close(): Promise<void>;
}

type RequiredParts =
  | "config"
  | "deployment"
  | "database"
  | "cache"
  | "storage"
  | "acceptProof"
  | "memberships";

/** What `assembleServices` cannot create itself, and what a test may replace. Without a recorder nothing is recorded. */
export interface ServiceParts
  extends Pick<Services, RequiredParts>,
    Partial<Pick<Services, "web" | "recorder" | "now">> {
  /** Tells the platform of work that goes on after the response, where it would freeze the process otherwise. */
  readonly holdOpen?: (work: Promise<void>) => void;
  /** Called once everything is closed. */
  readonly closed?: () => Promise<void>;
  /** Overrides the timing and limits of live updates; tests shorten them. */
  readonly liveSettings?: Partial<LiveSettings>;
}

/** Assembles services from opened parts; the process does so once, tests once per database. */
export function assembleServices(parts: ServiceParts): Services {
  const now = parts.now ?? (() => new Date());
  const pending = new Set<Promise<void>>();
  const { config, deployment, database, cache } = parts;

  const live = createLive({
    db: database.db,
    cache,
    now,
    holdOpen: parts.holdOpen,
    settings: {
      ...(!config.rateLimits && { streamsPerUser: Number.POSITIVE_INFINITY }),
      ...(config.streamMs !== undefined && { streamMs: config.streamMs }),
      ...parts.liveSettings,
    },
  });

  async function idle(): Promise<void> {
    while (pending.size > 0) await Promise.allSettled(pending);
  }

  const later: Services["later"] = (name, work) => {
    const running = Promise.resolve()
      .then(work)
      .catch((error: unknown) => log.error({ err: error, work: name }, "work after the response failed"))
      .finally(() => pending.delete(running));
    pending.add(running);
    parts.holdOpen?.(running);
  };

  const changes = new Changes(cache);
  const web = parts.web ?? publicWeb();
  const push = createPush({ keys: config.pushKeys, db: database.db, web, now, later });

  return {
    ...parts,
    limiter: new RateLimiter(cache),
    unknownLimiter: new RateLimiter(countersOf(new RateLimiterMemory(COUNTING))),
    changes,
    guestAnswers: new GuestAnswers(changes),
    pageReads: { hit: 0, miss: 0 },
    streams: () => live.counts(),
    changed: (what) => changes.note(what),
    web,
    recorder: parts.recorder ?? null,
    push,
    live: {
      follow: (feed, key, subscription) => live.follow(feed, key, subscription),
      close: () => live.close(),
      publish(signal) {
        live.publish(signal);
        parts.holdOpen?.(live.settled());
        // Pushes the new notifications at once.
        if (signal.kind === "inbox") push.wake();
      },
    },
    now,
    db: database.db,
    adminUserIds: config.adminUserIds,
    facts: createFactSeals(config.userIdSecret),
    apps: createAppKeys(config.userIdSecret),
    webhookSecretOf: createWebhookSecrets(config.userIdSecret),
    trust: config.trust,
    anonymous: {
      ...config.anonymous,
      keyOf: createTopicKeys(config.userIdSecret),
      verify: (proof, words) => parts.memberships.verify(proof, words),
    },
    tokens: createSessionTokens({ secrets: config.sessionSecrets, audience: deployment.scope, now }),
    later,
    idle,
    async close() {
      await live.close();
      await idle();
      await parts.memberships.close();
      await changes.close();
      await cache.close();
      await database.close();
      // A collector that is away must not fail the shutdown.
      await parts.closed?.().catch(() => undefined);
    },
  };
}
