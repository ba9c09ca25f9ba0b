import { randomUUID } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import { log } from "@/lib/log";
import type { Signal } from "./feed";
import type { LiveSettings } from "./settings";
import { every } from "./timers";

/**
 * This process among those that hold event streams. It says every few seconds that it lives, by the database's clock;
 * one that was silent for too long is dead, and whoever sees it first removes what it left behind.
 */
export class LiveProcess {
  readonly id = randomUUID();
  readonly #db: Db;
  readonly #settings: LiveSettings;
  readonly #hooks: ProcessHooks;
  #begun: Promise<void> | null = null;
  #stop: () => void = () => undefined;

  constructor(db: Db, settings: LiveSettings, hooks: ProcessHooks) {
    this.#db = db;
    this.#settings = settings;
    this.#hooks = hooks;
  }

  /** Makes the row that connections refer to, once. */
  async begin(): Promise<void> {
    this.#begun ??= this.#start();
    try {
      await this.#begun;
    } catch (error) {
      this.#begun = null;
      throw error;
    }
  }

  /** The row is gone: others took this process for dead. */
  async beginAgain(): Promise<void> {
    await this.#insert();
  }

  /**
   * Says for the last time that it lives, so that its connections count for a few seconds more: whoever comes back to
   * the next process by then was never away.
   */
  async end(): Promise<void> {
    this.#stop();
    if (!this.#begun) return;
    const { deadMs, graceMs } = this.#settings;
    await this.#db
      .updateTable("live_processes")
      .set({ seen_at: sql<Date>`clock_timestamp() - ${interval(deadMs - 2 * graceMs)}` })
      .where("id", "=", this.id)
      .execute();
  }

  async #start(): Promise<void> {
    await this.#insert();
    this.#stop = every(this.#settings.seenMs, () => this.#beat());
  }

  async #insert(): Promise<void> {
    await this.#db
      .insertInto("live_processes")
      .values({ id: this.id, seen_at: sql<Date>`clock_timestamp()` })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }

  async #beat(): Promise<void> {
    try {
      const seen = await this.#db
        .updateTable("live_processes")
        .set({ seen_at: sql<Date>`clock_timestamp()` })
        .where("id", "=", this.id)
        .returning("id")
        .executeTakeFirst();
      if (!seen) await this.#hooks.lost();
      await this.#bury();
    } catch (error) {
      log.warn({ err: error }, "the heartbeat of this process");
    }
  }

  async #bury(): Promise<void> {
    const signals = await this.#db.transaction().execute(async (trx) => {
      const dead = await trx
        .selectFrom("live_processes")
        .select("id")
        .where("id", "!=", this.id)
        .where("seen_at", "<", deadBefore(this.#settings.deadMs))
        .orderBy("id")
        .limit(20)
        .forUpdate()
        .skipLocked()
        .execute();
      if (dead.length === 0) return [];
      const ids = dead.map(({ id }) => id);
      const told = await this.#hooks.abandoned(trx, ids);
      await trx.deleteFrom("live_processes").where("id", "in", ids).execute();
      return told;
    });
    for (const signal of signals) this.#hooks.publish(signal);
  }
}

export interface ProcessHooks {
  publish(signal: Signal): void;
  /** Others took this process for dead and removed its connections. */
  lost(): Promise<void>;
  /** Removes what dead processes left. */
  abandoned(trx: Trx, processIds: readonly string[]): Promise<readonly Signal[]>;
}

/** SQL: a process last seen before this moment is dead. */
export function deadBefore(deadMs: number): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() - ${interval(deadMs)}`;
}

function interval(ms: number): RawBuilder<unknown> {
  return sql`make_interval(secs => ${ms / 1000}::float8)`;
}
