import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";

/** Migrations by name; they run in the order of their names, each once. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Brings a database up to date. Safe when several processes start at once: on PostgreSQL Kysely holds an
 * advisory lock while it runs (PGlite has one process by itself).
 *
 * @param program tells apart the bookkeeping of programs that share one database, e.g. "prover"
 * @throws the error of the migration that failed, with its name; nothing of that run is kept
 */
export async function migrate<Schema>(
  db: Kysely<Schema>,
  migrations: Migrations,
  program: string,
): Promise<void> {
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
