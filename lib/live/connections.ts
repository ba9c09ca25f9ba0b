import type { Db, Trx } from "@/db/schema";
import { log } from "@/lib/log";
import { Batch } from "./batch";
import type { Connection, Connections, FeedProcess, Signal } from "./feed";
import { grouped } from "./grouped";
import { LiveProcess } from "./process";
import type { LiveSettings } from "./settings";
import { pause } from "./timers";

const attempts = 3;

/** A connection that ended and counts until its time. */
interface Leaving {
  readonly connection: Connection;
  readonly connections: Connections;
  readonly at: number;
}

export interface KeeperOptions {
  readonly db: Db;
  readonly now: () => Date;
  readonly settings: LiveSettings;
  readonly publish: (signal: Signal) => void;
}

/** Who is connected through this process, in the database: written for all at once who come or go together. */
export class ConnectionKeeper implements FeedProcess {
  readonly db: Db;
  readonly now: () => Date;
  readonly #settings: LiveSettings;
  readonly #publish: (signal: Signal) => void;
  readonly #process: LiveProcess;
  readonly #opening = new Map<Connections, Batch<Connection, true>>();
  /** Those whose row is there, or being made. */
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

  /** Resolves when the connection is there for everybody to see. */
  async opened(connections: Connections, connection: Connection): Promise<void> {
    await this.#process.begin();
    const batch = this.#opening.get(connections) ?? new Batch((items) => this.#write(connections, items));
    this.#opening.set(connections, batch);
    this.#open.set(connection.id, { connection, connections });
    try {
      await batch.add(connection);
    } catch (error) {
      this.#open.delete(connection.id);
      throw error;
    }
  }

  /** @param now true where nobody may come back: the connection ends at once */
  closed(id: string, now: boolean): void {
    const open = this.#open.get(id);
    if (!open || this.#ended) return;
    this.#open.delete(id);
    const at = performance.now() + (now ? 0 : this.#settings.graceMs);
    this.#leaving.push({ ...open, at });
    // Sooner than those that wait: it does not wait for them.
    if (now) this.#leaving.sort((a, b) => a.at - b.at);
    if (now) void this.#remove();
    else this.#removing ??= this.#removeAll().finally(() => (this.#removing = null));
  }

  /** From here on nothing is written; the process says that it goes. */
  async end(): Promise<void> {
    this.#ended = true;
    try {
      await this.#process.end();
    } catch (error) {
      log.warn({ err: error }, "this process could not say that it goes");
    }
  }

  async #write(connections: Connections, items: readonly Connection[]): Promise<true[]> {
    await this.#settled(async () => {
      const signals = await connections.opened(this, items);
      for (const signal of signals) this.#publish(signal);
    });
    return items.map(() => true);
  }

  /** Rows may have gone in the moment they are referred to: a topic, this process. Then again, on what is left. */
  async #settled(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt === attempts) throw error;
        await pause(10 * attempt);
        await this.#process.beginAgain();
      }
    }
  }

  async #writeAgain(): Promise<void> {
    await this.#process.beginAgain();
    const open = [...this.#open.values()];
    for (const [connections, group] of grouped(open, (one) => one.connections)) {
      await this.#write(
        connections,
        group.map(({ connection }) => connection),
      );
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
      try {
        await this.#settled(async () => {
          const signals = await connections.closed(
            this,
            group.map(({ connection }) => connection),
          );
          for (const signal of signals) this.#publish(signal);
        });
      } catch (error) {
        // They stay until this process ends; then others remove them.
        log.warn({ err: error }, "connections that ended could not be removed");
      }
    }
  }
}
