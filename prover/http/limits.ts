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
import { type RateLimitKeys, siteFactor } from "@/lib/rate-limit-key";
import { ProverRefusal } from "../refusal";
import { clientKeys } from "./address";

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

/** As rate-limiter-flexible takes it; `duration` in seconds. */
interface Budget {
  keyPrefix: string;
  points: number;
  duration: number;
}
type Kind = keyof LimitSettings;
/** Whom a count is about. The network around an IPv6 address has a larger budget than the address. */
interface Counted {
  who: string;
  isSite: boolean;
}
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
  readonly #siteLimiters: Readonly<Record<Kind, RateLimiterAbstract>>;

  private constructor(
    readonly options: { secret: Uint8Array; trustedProxies: number },
    settings: LimitSettings,
    make: (kind: Kind, budget: Budget) => RateLimiterAbstract,
  ) {
    const limiters = (name: string, factor: number) => {
      const limiter = (kind: Kind) =>
        make(kind, {
          keyPrefix: `${kind}${name}`,
          points: settings[kind] * factor,
          duration: seconds[kind],
        });
      return {
        challenges: limiter("challenges"),
        attempts: limiter("attempts"),
        requests: limiter("requests"),
      };
    };
    this.#limiters = limiters("", 1);
    this.#siteLimiters = limiters(" site", siteFactor);
  }

  /** Counts in this process. */
  static inMemory(settings: LimitSettings, options: { secret: Uint8Array; trustedProxies: number }): Limits {
    return new Limits(options, settings, (_, budget) => new RateLimiterMemory(budget));
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
      settings,
      (kind, budget) =>
        new RateLimiterPostgres({
          ...budget,
          storeClient,
          storeType: "client",
          tableName: table,
          tableCreated: true,
          // Whoever is over the limit is told so without asking the database; not where points are given back.
          inMemoryBlockOnConsumed: kind === "attempts" ? 0 : budget.points + 1,
          insuranceLimiter: new RateLimiterMemory(budget),
        }),
    );
  }

  /** Counts a price that is asked for. @throws ProverRefusal 429 */
  async challenge(c: Context): Promise<void> {
    await this.#consumeAll("challenges", this.#askers(c));
  }

  /** Counts every request, as middleware. */
  middleware(): MiddlewareHandler {
    return async (c, next) => {
      if (c.req.method !== "OPTIONS") await this.#consumeAll("requests", this.#askers(c));
      await next();
    };
  }

  /** Who asks, as one whose costly requests can be counted after the connection is gone. */
  attempts(c: Context): (payer?: Address) => Promise<Attempt> {
    const askers = this.#askers(c);
    return (payer) =>
      this.#attempt([...askers, ...(payer ? [{ who: payer.toLowerCase(), isSite: false }] : [])]);
  }

  /**
   * Counts a request whose witness is about to be solved.
   * @param counted payers only where the payment's signature was verified: others could use up their attempts
   * @throws ProverRefusal 429
   */
  async #attempt(counted: readonly Counted[]): Promise<Attempt> {
    await this.#consumeAll("attempts", counted);
    let open = true;
    return {
      settled: async () => {
        if (!open) return;
        open = false;
        const giveBack = (each: Counted) => this.#limiter("attempts", each).reward(this.#key(each.who), 1);
        await Promise.all(counted.map((each) => giveBack(each).catch(() => undefined)));
      },
    };
  }

  #askers(c: Context): Counted[] {
    const { key, site }: RateLimitKeys = clientKeys(c, this.options.trustedProxies);
    return [{ who: key, isSite: false }, ...(site ? [{ who: site, isSite: true }] : [])];
  }

  #limiter(kind: Kind, { isSite }: Counted): RateLimiterAbstract {
    return (isSite ? this.#siteLimiters : this.#limiters)[kind];
  }

  #key(who: string): string {
    return createHmac("sha256", this.options.secret).update(`limit ${who}`).digest("base64url");
  }

  async #consumeAll(kind: Kind, counted: readonly Counted[]): Promise<void> {
    for (const each of counted) await this.#consume(kind, each);
  }

  async #consume(kind: Kind, counted: Counted): Promise<void> {
    try {
      await this.#limiter(kind, counted).consume(this.#key(counted.who));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const retryAfter = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new ProverRefusal(429, "RATE_LIMITED", `too many requests: try again in ${retryAfter} s`, {
        reason: kind,
        retryAfter,
      });
    }
  }
}
