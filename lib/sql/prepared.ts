import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import type { PoolUse } from "@/lib/metrics";

/** Texts that get a name: each connection keeps the plan of each, a few KiB in the server. */
const MAX_NAMES = 400;
/** A text that runs only once or twice, as in a migration, is not worth a plan. */
const NAMED_FROM = 3;

/**
 * Statements whose plans do not last: with all columns of a table, to which a migration may add one, those that name a
 * partial index by a condition, which a plan for any values cannot match, and searches, where a plan for any words reads
 * everything.
 */
const UNFIT = /(?:\.|select |returning )\*|on conflict \([^)]*\) where|to_tsquery\(/;

/** Names of statements by their texts, the same for all connections; null once there are too many texts. */
export class StatementNames {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** Counts a use of a text. @returns its name, if it is prepared */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= MAX_NAMES) return known;
    if (UNFIT.test(text)) return undefined;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < NAMED_FROM) {
      if (this.#uses.size >= MAX_NAMES) this.#uses.clear();
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    const name = `parley_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}

/**
 * Makes Kysely run statements with values as prepared statements: PostgreSQL parses each once per connection, and plans
 * it anew only where the values matter to the plan.
 */
export function preparing(pool: pg.Pool): PostgresPool {
  const names = new StatementNames();
  // Kysely keeps what it knows of a connection by this object.
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = wrapped.get(client);
      if (known) return known;
      const made = preparingClient(client, names);
      wrapped.set(client, made);
      return made;
    },
  };
}

/** Counts a pool's connections. */
export function useOf(pool: Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">): PoolUse {
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}

function preparingClient(client: pg.PoolClient, names: StatementNames): PostgresPoolClient {
  const query = (text: unknown, values?: unknown[]) => {
    const name = typeof text === "string" && values && values.length > 0 ? names.nameOf(text) : undefined;
    return name
      ? client.query({ name, text: String(text), values })
      : Reflect.apply(client.query, client, [text, values]);
  };
  return new Proxy(client, {
    get(target, property) {
      if (property === "query") return query;
      const value: unknown = Reflect.get(target, property);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
