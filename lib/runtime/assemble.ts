import type { OpenDatabase } from "@/db/client";
import type { Cache } from "@/lib/cache";
import type { Recorder } from "@/lib/chain";
import type { Context } from "@/lib/context";
import type { FactSeals } from "@/lib/context/facts";
import type { ProofAcceptor } from "@/lib/context/proofs";
import type { Live } from "@/lib/live";
import { createLive } from "@/lib/live/create";
import type { LiveSettings } from "@/lib/live/settings";
import { log } from "@/lib/log";
import { type PublicWeb, publicWeb } from "@/lib/preview";
import type { Deployment } from "@/lib/proofs/deployment";
import type { Push } from "@/lib/push";
import { createPush } from "@/lib/push/sender";
import { RateLimiter } from "@/lib/rate-limit";
import type { CallerSources } from "@/lib/session/caller";
import { createFactSeals } from "@/lib/session/fact-seals";
import { createSessionTokens, type SessionTokens } from "@/lib/session/tokens";
import type { Storage } from "@/lib/storage";
import type { Config } from "./config";

/** What one installation shares between all requests. */
export interface Services extends CallerSources {
  readonly config: Config;
  readonly deployment: Deployment;
  readonly database: OpenDatabase;
  readonly cache: Cache;
  readonly limiter: RateLimiter;
  readonly storage: Storage;
  readonly web: PublicWeb;
  readonly live: Live;
  readonly push: Push;
  readonly recorder: Recorder | null;
  readonly tokens: SessionTokens;
  readonly acceptProof: ProofAcceptor;
  readonly facts: FactSeals;
  readonly now: () => Date;
  /** Runs work after the answer; its errors are logged. */
  readonly later: Context["later"];
  /** Resolves when no such work is under way. */
  idle(): Promise<void>;
  /** Ends event streams, finishes pending work and closes cache and database. */
  close(): Promise<void>;
}

/** What `assembleServices` cannot make by itself. */
export interface ServiceParts {
  readonly config: Config;
  readonly deployment: Deployment;
  readonly database: OpenDatabase;
  readonly cache: Cache;
  readonly storage: Storage;
  /** Without it only public addresses are fetched from; a test may allow others. */
  readonly web?: PublicWeb;
  /** Without one nothing is recorded on-chain. */
  readonly recorder?: Recorder | null;
  readonly acceptProof: ProofAcceptor;
  readonly now?: () => Date;
  /** Replaces times and sizes of the live side; a test makes them shorter. */
  readonly liveSettings?: Partial<LiveSettings>;
}

/** Puts services together from opened parts; the process does it once, a test for each database. */
export function assembleServices(parts: ServiceParts): Services {
  const now = parts.now ?? (() => new Date());
  const pending = new Set<Promise<void>>();
  const { config, deployment, database, cache } = parts;

  const live = createLive({
    db: database.db,
    cache,
    now,
    settings: {
      ...(!config.rateLimits && { streamsPerUser: Number.POSITIVE_INFINITY }),
      ...parts.liveSettings,
    },
  });

  async function idle(): Promise<void> {
    while (pending.size > 0) await Promise.allSettled(pending);
  }

  const later: Services["later"] = (name, work) => {
    const running = Promise.resolve()
      .then(work)
      .catch((error: unknown) => log.error({ err: error, work: name }, "work after the answer failed"))
      .finally(() => pending.delete(running));
    pending.add(running);
  };

  const web = parts.web ?? publicWeb();
  const push = createPush({ keys: config.pushKeys, db: database.db, web, now, later });

  return {
    ...parts,
    limiter: new RateLimiter(cache),
    web,
    recorder: parts.recorder ?? null,
    push,
    live: {
      follow: (feed, key, subscription) => live.follow(feed, key, subscription),
      close: () => live.close(),
      publish(signal) {
        live.publish(signal);
        // What was written to inboxes here is pushed from here, right away.
        if (signal.kind === "inbox") push.wake();
      },
    },
    now,
    db: database.db,
    adminUserIds: config.adminUserIds,
    facts: createFactSeals(config.userIdSecret),
    tokens: createSessionTokens({ secret: config.sessionSecret, audience: deployment.scope, now }),
    later,
    idle,
    async close() {
      await live.close();
      await idle();
      await cache.close();
      await database.close();
    },
  };
}
