import type { PGlite } from "@electric-sql/pglite";
import { VercelPool, types as vercelTypes } from "@vercel/postgres";
import { type Dialect, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { PoolUse } from "@/lib/metrics";
import { type Listener, type Listening, listenOnPglite, listenOnPostgres } from "./listening";
import { pgTypes, setParsers } from "./parsers";
import { openFolder, openMemory, type PGliteOpenOptions } from "./pglite";
import { PipelinedReads } from "./pipelined";
import { preparing, useOf } from "./prepared";

export { FolderInUseError } from "./folder-lock";
export type { Listener } from "./listening";
export {
  compareMigrations,
  exclusively,
  executedOf,
  type Migration,
  type Migrations,
  migrate,
  type Release,
} from "./migrate";

export interface DatabaseOptions extends PGliteOpenOptions {
  /**
   * `pglite:<folder>`, `pglite:memory`, `postgres://…`, or `vercel+postgres://…` (through @vercel/postgres). With
   * `?prepare=off`, statements on `postgres://` are not prepared, for poolers that do not support that.
   */
  url: string;
  /** Maximum connections of a PostgreSQL pool. */
  poolSize?: number;
}

export interface Database<Schema> {
  db: Kysely<Schema>;
  /** For dumps of an embedded database. Use Kysely for everything else. */
  pglite?: PGlite;
  /** Counts the pool's connections. */
  connections: () => PoolUse;
  /** Opens a session for LISTEN and NOTIFY; absent if the driver has none (@vercel/postgres). */
  listening?: OpenListening;
  close(): Promise<void>;
}

export type OpenListening = (listener: Listener) => Listening;

interface OpenDialect extends Omit<Database<never>, "db"> {
  dialect: Dialect;
}

/**
 * Opens the database of a URL and returns its Kysely dialect.
 * @throws Error for an unknown kind of URL; FolderInUseError if another process owns the folder
 */
export async function dialectFor(options: DatabaseOptions): Promise<OpenDialect> {
  const { url } = options;
  if (url.startsWith("pglite:")) {
    const where = url.slice("pglite:".length);
    const share = where === "memory" ? await openMemory(options) : await openFolder(where, options);
    return {
      dialect: new PostgresDialect({ pool: share.pool }),
      pglite: share.pglite,
      connections: share.connections,
      listening: (listener) => listenOnPglite(share.pglite, listener),
      close: share.release,
    };
  }
  const max = options.poolSize ?? 10;
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { connectionString, isPrepared } = postgresOf(url);
    const config = { connectionString, types: pgTypes() };
    const pool = new pg.Pool({ ...config, max });
    // The pool replaces a broken idle connection at the next query; without a listener it would end the process.
    pool.on("error", () => undefined);
    const used = isPrepared ? preparing(pool, new PipelinedReads(config)) : pool;
    return {
      dialect: new PostgresDialect({ pool: used }),
      connections: () => useOf(pool),
      listening: (listener) => listenOnPostgres(connectionString, listener),
      close: () => used.end(),
    };
  }
  if (/^vercel\+postgres(ql)?:\/\//.test(url)) {
    const config = { connectionString: url.slice("vercel+".length), max };
    setParsers(vercelTypes);
    const pool = new VercelPool(config);
    pool.on("error", () => undefined);
    const dialect = new PostgresDialect({
      pool: {
        options: config,
        connect: () =>
          pool.connect().catch((reason: unknown) => {
            throw connectionError(reason);
          }),
        end: () => pool.end(),
      },
    });
    return { dialect, connections: () => useOf(pool), close: () => pool.end() };
  }
  throw new Error("a database URL starts with pglite:, postgres:// or vercel+postgres://");
}

/** @vercel/postgres rejects with the WebSocket's event, which prints as [object Object] and is no Error. */
function connectionError(reason: unknown): Error {
  if (reason instanceof Error) return reason;
  const cause = typeof reason === "object" && reason !== null && "error" in reason ? reason.error : undefined;
  return cause instanceof Error ? cause : new Error("cannot connect to the database");
}

function postgresOf(url: string): { connectionString: string; isPrepared: boolean } {
  const parsed = new URL(url);
  const isPrepared = parsed.searchParams.get("prepare") !== "off";
  parsed.searchParams.delete("prepare");
  return { connectionString: isPrepared ? url : parsed.toString(), isPrepared };
}

/**
 * Opens a database. `Schema` is the Kysely table map.
 *
 * Inside `db.transaction()` use only the transaction: on PGlite, awaiting `db` there would deadlock.
 */
export async function createDatabase<Schema>(options: DatabaseOptions): Promise<Database<Schema>> {
  const { dialect, ...rest } = await dialectFor(options);
  return { db: new Kysely<Schema>({ dialect }), ...rest };
}
