import { randomUUID } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import { log } from "@/lib/log";
import { Batch, grouped } from "./batch";
import type { Connection, Connections, FeedProcess, Signal } from "./index";
import type { LiveSettings } from "./settings";
import { every, pause } from "./timers";

const MAX_TRIES = 3;

/** An ended connection that still counts until `at`. */
interface Leaving {
  readonly connection: Connection;
  readonly connections: Connections;
  readonly at: number;
}

interface KeeperOptions {
  readonly db: Db;
  readonly now: () => Date;
  readonly settings: LiveSettings;
  readonly publish: (signal: Signal) => void;
}

/** Records in the database who is connected through this process, with one write for all who come or go together. */
export class ConnectionKeeper implements FeedProcess {
  readonly db: Db;
  readonly now: () => Date;
  readonly #settings: LiveSettings;
  readonly #publish: (signal: Signal) => void;
  readonly #process: LiveProcess;
  readonly #opening = new Map<Connections, Batch<Connection, true>>();
  /** Connections whose row exists or is being inserted. */
  readonly #open = new Map<string, { connection: Connection; connections: Connections }>();
  #leaving: Leaving[] = [];
  #removing: Promise<void> | null = null;
  #ended = false;

  constructor({ db, now, settings, publish }: KeeperOptions) {
    this.db = db;
    this.now = now;
    this.#settings = settings;
    this.#publish = publish;
    this.#process = new LiveProcess(db, settings, {
      publish,
      lost: () => this.#writeAgain(),
      abandoned: (trx, ids) => this.#abandoned(trx, ids),
    });
  }

  get processId(): string {
    return this.#process.id;
  }

  /** Resolves when everyone can see the connection. */
  async opened(connections: Connections, connection: Connection): Promise<void> {
    const batch = this.#opening.get(connections) ?? new Batch((items) => this.#write(connections, items));
    this.#opening.set(connections, batch);
    // From here on the process does not rest.
    this.#open.set(connection.id, { connection, connections });
    try {
      await this.#process.begin();
      await batch.add(connection);
    } catch (error) {
      this.#open.delete(connection.id);
      throw error;
    }
  }

  /**
   * Removes a connection after its grace period. Resolves when that is written; after the last one, nothing goes on.
   * @param now ends the connection at once, for a user who may not come back
   */
  async closed(id: string, now: boolean): Promise<void> {
    const open = this.#open.get(id);
    if (!open || this.#ended) return;
    this.#open.delete(id);
    const at = performance.now() + (now ? 0 : this.#settings.graceMs);
    this.#leaving.push({ ...open, at });
    // Does not wait for the connections in their grace period.
    if (now) this.#leaving.sort((a, b) => a.at - b.at);
    if (now) return await this.#remove();
    this.#removing ??= this.#removeAll().finally(() => (this.#removing = null));
    await this.#removing;
  }

  /** Stops writing and marks the process as stopped. */
  async end(): Promise<void> {
    this.#ended = true;
    try {
      await this.#process.end();
    } catch (error) {
      log.warn({ err: error }, "could not mark this process as stopped");
    }
  }

  async #write(connections: Connections, items: readonly Connection[]): Promise<true[]> {
    await this.#settled(() => connections.opened(this, items));
    return items.map(() => true);
  }

  /** Writes, and publishes the signals. Retries, since rows may be deleted while others refer to them. */
  async #settled(write: () => Promise<readonly Signal[]>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        for (const signal of await write()) this.#publish(signal);
        return;
      } catch (error) {
        if (attempt === MAX_TRIES) throw error;
        await pause(10 * attempt);
        await this.#process.insert();
      }
    }
  }

  async #writeAgain(): Promise<void> {
    await this.#process.insert();
    const open = [...this.#open.values()];
    for (const [connections, group] of grouped(open, (one) => one.connections)) {
      const items = group.map(({ connection }) => connection);
      await this.#write(connections, items);
    }
  }

  async #abandoned(trx: Trx, processIds: readonly string[]): Promise<Signal[]> {
    const signals: Signal[] = [];
    for (const connections of this.#opening.keys()) {
      signals.push(...(await connections.abandoned(trx, processIds, this.now())));
    }
    return signals;
  }

  async #removeAll(): Promise<void> {
    while (this.#leaving.length > 0 && !this.#ended) {
      const [first] = this.#leaving;
      await pause((first?.at ?? 0) - performance.now());
      await this.#remove();
    }
  }

  async #remove(): Promise<void> {
    const now = performance.now();
    const later = this.#leaving.findIndex(({ at }) => at > now);
    const due = this.#leaving.splice(0, later < 0 ? this.#leaving.length : later);
    if (this.#ended) return;
    for (const [connections, group] of grouped(due, (one) => one.connections)) {
      const items = group.map(({ connection }) => connection);
      try {
        await this.#settled(() => connections.closed(this, items));
      } catch (error) {
        // They stay until this process ends; then others remove them.
        log.warn({ err: error }, "could not remove ended connections");
      }
    }
    if (this.#open.size === 0 && this.#leaving.length === 0) await this.#process.rest();
  }
}

/**
 * This process among those that hold event streams. It sends a heartbeat every few seconds, by the database's clock.
 * A process without one for too long is dead, and the first to notice removes its rows.
 */
class LiveProcess {
  readonly id = randomUUID();
  #begun: Promise<void> | null = null;
  #stop: () => void = () => undefined;
  #beat: Promise<void> = Promise.resolve();
  readonly #db: Db;
  readonly #settings: LiveSettings;
  readonly #hooks: ProcessHooks;

  constructor(db: Db, settings: LiveSettings, hooks: ProcessHooks) {
    this.#db = db;
    this.#settings = settings;
    this.#hooks = hooks;
  }

  /** Inserts the row that connections refer to, and sends heartbeats until `rest`. */
  async begin(): Promise<void> {
    this.#begun ??= this.#start();
    try {
      await this.#begun;
    } catch (error) {
      this.#begun = null;
      throw error;
    }
  }

  /**
   * Ends the heartbeat while nobody is connected: a platform may freeze the process then, and a heartbeat that is frozen
   * in its transaction would hold its locks.
   */
  async rest(): Promise<void> {
    this.#stop();
    this.#begun = null;
    await this.#beat;
  }

  /**
   * Backdates the last heartbeat, so that connections count for only a few seconds more: clients that reconnect to
   * the next process by then never left.
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
    await this.insert();
    this.#stop = every(this.#settings.seenMs, async () => {
      this.#beat = this.#heartbeat();
      await this.#beat;
    });
  }

  /** Inserts the row; also after a rest, and after other processes took this one for dead and deleted it. */
  async insert(): Promise<void> {
    const seen = { seen_at: sql<Date>`clock_timestamp()` };
    await this.#db
      .insertInto("live_processes")
      .values({ id: this.id, ...seen })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(seen))
      .execute();
  }

  async #heartbeat(): Promise<void> {
    try {
      const seen = await this.#db
        .updateTable("live_processes")
        .set({ seen_at: sql<Date>`clock_timestamp()` })
        .where("id", "=", this.id)
        .returning("id")
        .executeTakeFirst();
      if (!seen) await this.#hooks.lost();
      await this.#removeDead();
    } catch (error) {
      log.warn({ err: error }, "heartbeat failed");
    }
  }

  async #removeDead(): Promise<void> {
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

interface ProcessHooks {
  publish(signal: Signal): void;
  /** Other processes took this one for dead and deleted its connections. */
  lost(): Promise<void>;
  /** Deletes the rows of dead processes. */
  abandoned(trx: Trx, processIds: readonly string[]): Promise<readonly Signal[]>;
}

/** SQL: a process last seen before this time is dead. */
export function deadBefore(deadMs: number): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() - ${interval(deadMs)}`;
}

function interval(ms: number): RawBuilder<unknown> {
  return sql`make_interval(secs => ${ms / 1000}::float8)`;
}
