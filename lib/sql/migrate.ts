import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";

/** Migrations by name; they run in the order of their names, each once. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Brings a database up to date. Safe when several processes start at once: on PostgreSQL Kysely holds an
 * advisory lock while it runs (PGlite has one process by itself).
 *
 * @param renamed new names of migrations by the names that earlier releases recorded; the order must stay the same
 * @param program tells apart the bookkeeping of programs that share one database, e.g. "prover"
 * @throws the error of the migration that failed, with its name; nothing of that run is kept
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

/** Kysely refuses a database that records a migration it does not know. One statement, so that no start sees half of it. */
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
