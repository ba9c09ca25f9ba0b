import { createHmac } from "node:crypto";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context, MiddlewareHandler } from "hono";
import { CompiledQuery, type Kysely } from "kysely";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import type { Address } from "viem";
import {
  COUNTING,
  counterName,
  countersOf,
  forwardedAddress,
  type RateLimitCaller,
  type RateLimitCallers,
  RateLimiter,
  type RateLimitKeys,
  rateLimitKeys,
  SITE_FACTOR,
} from "@/lib/rate-limit";
import { ProverRefusal } from "../refusal";

/** How many requests a client may make. */
export interface LimitSettings {
  /** Requests for a price (402 without a payment), by address and minute. */
  challenges: number;
  /** Paid requests whose witness was solved and that settled nothing, by address and by payer, in ten minutes. */
  attempts: number;
  /** Requests of any kind, by address and minute. */
  requests: number;
}

/** A costly request in progress. */
export interface Attempt {
  /** Takes back its count: it settled. */
  settled(): Promise<void>;
}

type Kind = keyof LimitSettings;
const WINDOW_SECONDS: Readonly<Record<Kind, number>> = { challenges: 60, attempts: 600, requests: 60 };
const TABLE = "rate_limit";
/** As RateLimiterPostgres expects them. */
const COLUMNS = "(key varchar(255) primary key, points integer not null default 0, expire bigint)";
interface CountingOptions {
  /** Key of the hashes that stand for clients. */
  secret: Uint8Array;
  trustedProxies: number;
}

/**
 * Limits requests. Clients are stored as keyed hashes only, until their count expires.
 * Requests over a limit get 429 with a Retry-After and the code RATE_LIMITED.
 */
export class Limits {
  readonly #limiter: RateLimiter;
  readonly #store: RateLimiterAbstract;

  private constructor(
    readonly settings: LimitSettings,
    readonly options: CountingOptions,
    store: RateLimiterAbstract,
  ) {
    this.#limiter = new RateLimiter(countersOf(store));
    this.#store = store;
  }

  /** Counts in this process. */
  static inMemory(settings: LimitSettings, options: CountingOptions): Limits {
    return new Limits(settings, options, new RateLimiterMemory(COUNTING));
  }

  /**
   * Counts in the database, together with all processes that share it; in this process while the database is away.
   * Creates the table if it does not exist.
   */
  static async inDatabase<Schema>(
    settings: LimitSettings,
    options: CountingOptions,
    db: Kysely<Schema>,
  ): Promise<Limits> {
    const storeClient = {
      query: async ({ text, values = [] }: { text: string; values?: unknown[] }) => {
        const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values));
        return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
      },
    };
    const create = () => storeClient.query({ text: `create table if not exists "${TABLE}" ${COLUMNS}` });
    // When two processes create it at once, PostgreSQL refuses one of them; by then the table exists.
    await create().catch(create);
    const store = new RateLimiterPostgres({
      ...COUNTING,
      storeClient,
      storeType: "client",
      tableName: TABLE,
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(COUNTING),
    });
    return new Limits(settings, options, store);
  }

  /** Counts a request for a price. @throws ProverRefusal 429 */
  async challenge(c: Context): Promise<void> {
    await this.#count("challenges", this.#callers(c));
  }

  /** Counts every request, as middleware. */
  middleware(): MiddlewareHandler {
    return async (c, next) => {
      if (c.req.method !== "OPTIONS") await this.#count("requests", this.#callers(c));
      await next();
    };
  }

  /**
   * Remembers the client of a request, so that its costly part can be counted after the connection is gone.
   * @returns counts a request whose witness is about to be solved. It takes a payer only where the payment's signature
   *   was verified: others could use up that payer's attempts. It throws ProverRefusal 429.
   */
  attempts(c: Context): (payer?: Address) => Promise<Attempt> {
    const client = this.#callers(c);
    return async (payer) => {
      const callers: RateLimitCallers = payer
        ? [...client, { key: this.#hash(payer.toLowerCase()) }]
        : client;
      await this.#count("attempts", callers);
      let isOpen = true;
      return {
        settled: async () => {
          if (!isOpen) return;
          isOpen = false;
          const giveBack = ({ key }: RateLimitCaller) =>
            this.#store.reward(counterName("attempts", key), 1, { customDuration: WINDOW_SECONDS.attempts });
          await Promise.all(callers.map(giveBack)).catch(() => undefined);
        },
      };
    };
  }

  #callers(c: Context): RateLimitCallers {
    const { key, site } = clientKeys(c, this.options.trustedProxies);
    const client = { key: this.#hash(key) };
    return site ? [client, { key: this.#hash(site), factor: SITE_FACTOR }] : [client];
  }

  #hash(who: string): string {
    return createHmac("sha256", this.options.secret).update(`limit ${who}`).digest("base64url");
  }

  async #count(kind: Kind, callers: RateLimitCallers): Promise<void> {
    const limit = { points: this.settings[kind], seconds: WINDOW_SECONDS[kind] };
    const { isExceeded, resetSeconds } = await this.#limiter.count({ id: kind, limit }, callers);
    if (!isExceeded) return;
    throw new ProverRefusal(429, "RATE_LIMITED", `too many requests: try again in ${resetSeconds} s`, {
      reason: kind,
      retryAfter: resetSeconds,
    });
  }
}

/**
 * Returns what limits count of a client's address.
 * @param trustedProxies the operator's proxies in front of this service; with 0, X-Forwarded-For is not read
 */
export function clientKeys(c: Context, trustedProxies: number): RateLimitKeys {
  const forwarded = forwardedAddress(c.req.header("x-forwarded-for"), trustedProxies);
  return rateLimitKeys(forwarded ?? getConnInfo(c).remote.address ?? "unknown");
}
