import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import type { PoolUse } from "@/lib/metrics";
import type { PipelinedReads } from "./pipelined";

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

/** Statements that change something, wait for a lock, or concern their session. */
const NO_PLAIN_READ =
  /\b(?:insert into|update|delete from|merge into|for (?:key )?share|set_config|nextval|pg_\w+)\b/i;

/** Names of statements by their texts, the same for all connections; null once there are too many texts. */
export class StatementNames {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #reads = new Set<string>();

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
    if (/^\s*(?:select|with)\b/i.test(text) && !NO_PLAIN_READ.test(text)) this.#reads.add(name);
    return name;
  }

  /** Returns whether the statement of a name only reads, and waits for no lock. */
  isRead(name: string): boolean {
    return this.#reads.has(name);
  }
}

/**
 * Makes Kysely run statements with values as prepared statements: PostgreSQL parses each once per connection, and plans
 * it anew only where the values matter to the plan.
 * @param reads runs prepared reads outside of transactions; without it they take a connection of the pool like all others
 */
export function preparing(pool: pg.Pool, reads?: PipelinedReads): PostgresPool {
  const names = new StatementNames();
  // Kysely keeps what it knows of a connection by its object.
  const idle: PostgresPoolClient[] = [];
  return {
    options: pool.options,
    async end() {
      await Promise.all([pool.end(), reads?.close()]);
    },
    async connect() {
      return idle.pop() ?? lazyClient({ pool, names, reads }, idle);
    },
  };
}

/** Counts a pool's connections. */
export function useOf(pool: Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">): PoolUse {
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}

interface Sources {
  readonly pool: pg.Pool;
  readonly names: StatementNames;
  readonly reads: PipelinedReads | undefined;
}

/**
 * What Kysely gets for a statement or a transaction. It takes a connection of the pool with the first statement that needs one,
 * as the `begin` of a transaction does, and keeps it until it is released. Then it returns to `idle`.
 */
function lazyClient({ pool, names, reads }: Sources, idle: PostgresPoolClient[]): PostgresPoolClient {
  let own: Promise<pg.PoolClient> | undefined;
  const run = async (text: string, values: unknown[] = []) => {
    const name = values.length > 0 ? names.nameOf(text) : undefined;
    if (!own && reads && name && names.isRead(name)) return await reads.query({ name, text, values });
    own ??= pool.connect();
    const client = await own;
    return await (name ? client.query({ name, text, values }) : client.query(text, values));
  };
  const client: PostgresPoolClient = {
    // Kysely's types name the commands that it knows, and those of `pg` do not.
    query: (...given: unknown[]) => Reflect.apply(run, undefined, given),
    release(destroy) {
      own?.then(
        (taken) => taken.release(destroy),
        () => undefined,
      );
      own = undefined;
      if (!destroy) idle.push(client);
    },
  };
  return client;
}
