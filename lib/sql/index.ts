import type { PGlite } from "@electric-sql/pglite";
import { VercelPool, types as vercelTypes } from "@vercel/postgres";
import { type Dialect, Kysely, PGliteDialect, PostgresDialect } from "kysely";
import pg from "pg";
import { type Listener, type Listening, listenOnPglite, listenOnPostgres } from "./listening";
import { pgTypes, setParsers } from "./parsers";
import { openFolder, openMemory, type PGliteOpenOptions } from "./pglite";

export { FolderInUseError } from "./folder-lock";
export type { Listener } from "./listening";
export { type Migrations, migrate } from "./migrate";

export interface DatabaseOptions extends PGliteOpenOptions {
  /**
   * `pglite:<folder>` (embedded, one process), `pglite:memory`, `postgres://…`, or `vercel+postgres://…`
   * (the same server reached through @vercel/postgres).
   */
  url: string;
  /** Connections of a PostgreSQL pool. */
  poolSize?: number;
}

export interface Database<Schema> {
  db: Kysely<Schema>;
  /** Only for an embedded database: dumps. Use Kysely for everything else. */
  pglite?: PGlite;
  /** Opens a session that LISTENs and NOTIFYs; absent where there is none to be had (@vercel/postgres). */
  listening?: OpenListening;
  close(): Promise<void>;
}

export type OpenListening = (listener: Listener) => Listening;

interface OpenDialect {
  dialect: Dialect;
  pglite?: PGlite;
  listening?: OpenListening;
  close(): Promise<void>;
}

/**
 * Opens what a database URL names and gives the Kysely dialect for it.
 * @throws Error for an unknown kind of URL; FolderInUseError when another process owns the folder
 */
export async function dialectFor(options: DatabaseOptions): Promise<OpenDialect> {
  const { url } = options;
  if (url.startsWith("pglite:")) {
    const where = url.slice("pglite:".length);
    const share = where === "memory" ? await openMemory(options) : await openFolder(where, options);
    return {
      dialect: new PGliteDialect({ pglite: share.pglite }),
      pglite: share.pglite,
      listening: (listener) => listenOnPglite(share.pglite, listener),
      close: share.release,
    };
  }
  const max = options.poolSize ?? 10;
  if (/^postgres(ql)?:\/\//.test(url)) {
    const pool = new pg.Pool({ connectionString: url, max, types: pgTypes() });
    // An idle connection that breaks is replaced at the next query; without a listener it ends the process.
    pool.on("error", () => undefined);
    return {
      dialect: new PostgresDialect({ pool }),
      listening: (listener) => listenOnPostgres(url, listener),
      close: () => pool.end(),
    };
  }
  if (/^vercel\+postgres(ql)?:\/\//.test(url)) {
    const config = { connectionString: url.slice("vercel+".length), max };
    setParsers(vercelTypes);
    const pool = new VercelPool(config);
    pool.on("error", () => undefined);
    const dialect = new PostgresDialect({
      pool: { options: config, connect: () => pool.connect(), end: () => pool.end() },
    });
    return { dialect, close: () => pool.end() };
  }
  throw new Error("a database URL starts with pglite:, postgres:// or vercel+postgres://");
}

/**
 * Opens a database. `Schema` is the Kysely table map.
 *
 * Inside `db.transaction()` use only the transaction: on PGlite awaiting `db` there waits for itself.
 */
export async function createDatabase<Schema>(options: DatabaseOptions): Promise<Database<Schema>> {
  const { dialect, ...rest } = await dialectFor(options);
  return { db: new Kysely<Schema>({ dialect }), ...rest };
}
