import { createHmac } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { CompiledQuery, type Kysely } from "kysely";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { Address } from "viem";
import { Refusal } from "../refusal";
import { clientAddress } from "./address";

/** How often somebody may ask. */
export interface LimitSettings {
  /** Prices asked for (402 without a payment), by address and minute. */
  challenges: number;
  /** Paid requests whose witness was solved and that settled nothing, by address and by payer, in ten minutes. */
  attempts: number;
  /** Requests of any kind, by address and minute. */
  requests: number;
}

/** A costly request under way. */
export interface Attempt {
  /** It settled: it does not count. */
  settled(): Promise<void>;
}

type Kind = keyof LimitSettings;
const seconds: Readonly<Record<Kind, number>> = { challenges: 60, attempts: 600, requests: 60 };
const table = "rate_limit";
/** As RateLimiterPostgres wants them. */
const columns = "(key varchar(255) primary key, points integer not null default 0, expire bigint)";

/**
 * Counters of requests. Who asked is kept as a keyed hash only, until the count is over.
 * Answers that are refused have the status 429, a Retry-After and the code RATE_LIMITED.
 */
export class Limits {
  readonly #limiters: Readonly<Record<Kind, RateLimiterAbstract>>;

  private constructor(
    readonly options: { secret: Uint8Array; trustedProxies: number },
    make: (kind: Kind) => RateLimiterAbstract,
  ) {
    this.#limiters = {
      challenges: make("challenges"),
      attempts: make("attempts"),
      requests: make("requests"),
    };
  }

  /** Counts in this process. */
  static inMemory(settings: LimitSettings, options: { secret: Uint8Array; trustedProxies: number }): Limits {
    return new Limits(options, (kind) => inMemory(settings, kind));
  }

  /**
   * Counts in the database, together with all processes that share it; in this process while it is away.
   * The table is made when it is not there.
   */
  static async inDatabase<Schema>(
    settings: LimitSettings,
    options: { secret: Uint8Array; trustedProxies: number },
    db: Kysely<Schema>,
  ): Promise<Limits> {
    const storeClient = {
      query: async ({ text, values = [] }: { text: string; values?: unknown[] }) => {
        const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values));
        return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
      },
    };
    const create = () => storeClient.query({ text: `create table if not exists "${table}" ${columns}` });
    // Of two processes that make it at once, PostgreSQL refuses one; by then it is there.
    await create().catch(create);
    return new Limits(
      options,
      (kind) =>
        new RateLimiterPostgres({
          storeClient,
          storeType: "client",
          tableName: table,
          tableCreated: true,
          keyPrefix: kind,
          points: settings[kind],
          duration: seconds[kind],
          // Whoever is over the limit is told so without asking the database; not where points are given back.
          inMemoryBlockOnConsumed: kind === "attempts" ? 0 : settings[kind] + 1,
          insuranceLimiter: inMemory(settings, kind),
        }),
    );
  }

  /** Counts a price that is asked for. @throws Refusal 429 */
  async challenge(c: Context): Promise<void> {
    await this.#consume("challenges", this.#address(c));
  }

  /** Counts every request, as middleware. */
  middleware(): MiddlewareHandler {
    return async (c, next) => {
      if (c.req.method !== "OPTIONS") await this.#consume("requests", this.#address(c));
      await next();
    };
  }

  /** Who asks, as one whose costly requests can be counted after the connection is gone. */
  attempts(c: Context): (payer?: Address) => Promise<Attempt> {
    const address = this.#address(c);
    return (payer) => this.#attempt([address, ...(payer ? [payer.toLowerCase()] : [])]);
  }

  /**
   * Counts a request whose witness is about to be solved.
   * @param counted payers only where the payment's signature was verified: others could use up their attempts
   * @throws Refusal 429
   */
  async #attempt(counted: readonly string[]): Promise<Attempt> {
    for (const who of counted) await this.#consume("attempts", who);
    let open = true;
    return {
      settled: async () => {
        if (!open) return;
        open = false;
        const limiter = this.#limiters.attempts;
        await Promise.all(counted.map((who) => limiter.reward(this.#key(who), 1).catch(() => undefined)));
      },
    };
  }

  #address(c: Context): string {
    return clientAddress(c, this.options.trustedProxies);
  }

  #key(who: string): string {
    return createHmac("sha256", this.options.secret).update(`limit ${who}`).digest("base64url");
  }

  async #consume(kind: Kind, who: string): Promise<void> {
    try {
      await this.#limiters[kind].consume(this.#key(who));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const retryAfter = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new Refusal(429, "RATE_LIMITED", `too many requests: try again in ${retryAfter} s`, {
        reason: kind,
        retryAfter,
      });
    }
  }
}

function inMemory(settings: LimitSettings, kind: Kind): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: kind, points: settings[kind], duration: seconds[kind] });
}
