import type { PGlite } from "@electric-sql/pglite";
import { VercelPool, types as vercelTypes } from "@vercel/postgres";
import { type Dialect, Kysely, PostgresDialect, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import pg from "pg";
import type { PoolUse } from "@/lib/metrics";
import { type Listener, type Listening, listenOnPglite, listenOnPostgres } from "./listening";
import { pgTypes, setParsers } from "./parsers";
import { openFolder, openMemory, type PGliteOpenOptions } from "./pglite";
import { preparing, useOf } from "./prepared";

export { FolderInUseError } from "./folder-lock";
export type { Listener } from "./listening";

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
    const pool = new pg.Pool({ connectionString, max, types: pgTypes() });
    // The pool replaces a broken idle connection at the next query; without a listener it would end the process.
    pool.on("error", () => undefined);
    return {
      dialect: new PostgresDialect({ pool: isPrepared ? preparing(pool) : pool }),
      connections: () => useOf(pool),
      listening: (listener) => listenOnPostgres(connectionString, listener),
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
    return { dialect, connections: () => useOf(pool), close: () => pool.end() };
  }
  throw new Error("a database URL starts with pglite:, postgres:// or vercel+postgres://");
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

/** Migrations by name; each runs once, in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Migrates a database to the latest version. Several processes may start at once: on PostgreSQL, Kysely holds an advisory
 * lock meanwhile (PGlite has only one process).
 *
 * @param program prefix of the migration tables, for programs that share one database, for example "prover"
 * @param renamed new names of migrations by the names that earlier releases recorded; the order must stay the same
 * @throws Error naming the migration that failed; the whole run is rolled back
 */
export async function migrate<Schema>(
  db: Kysely<Schema>,
  migrations: Migrations,
  program: string,
  renamed: Readonly<Record<string, string>> = {},
): Promise<void> {
  await renameRecorded(db, `${program}_migration`, renamed);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: `${program}_migration`,
    migrationLockTableName: `${program}_migration_lock`,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === "Error")?.migrationName;
  throw new Error(`migration ${failed ?? "set-up"} of ${program} failed`, { cause: error });
}

/** Renames recorded migrations, since Kysely rejects unknown ones. A single statement, so that no process sees half of it. */
async function renameRecorded<Schema>(
  db: Kysely<Schema>,
  table: string,
  renamed: Readonly<Record<string, string>>,
): Promise<void> {
  if (Object.keys(renamed).length === 0) return;
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(
    db,
  );
  if (!rows[0]?.found) return;
  const names = sql.join(Object.entries(renamed).map(([old, name]) => sql`(${old}::text, ${name}::text)`));
  await sql`update ${sql.table(table)} as m set name = r.name from (values ${names}) as r (old, name)
    where m.name = r.old`.execute(db);
}
