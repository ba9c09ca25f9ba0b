import { setTimeout as pause } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Migration as Unkinded } from "kysely/migration";
import { log } from "@/lib/log";
import { backoffMs } from "./listening";

/**
 * Whether the previous release can run on the migrated database. `expand` only adds what it ignores. After `contract`,
 * or once the release with it runs, the previous one would fail or lose data (docs/upgrade.md).
 */
type MigrationKind = "expand" | "contract";

export interface Migration extends Pick<Unkinded, "up"> {
  readonly kind: MigrationKind;
}

/** Migrations by name; each runs once, in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The migrations of a program's release. */
export interface Release {
  /** Prefix of the migration table, for programs that share one database, for example "prover". */
  readonly program: string;
  readonly migrations: Migrations;
  /** New names of migrations by the names that earlier releases recorded; the order is the same. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** A migration that a database has. */
interface Executed {
  readonly name: string;
  /** Null in rows of releases up to 0.2.0 and under an earlier name. */
  readonly kind: MigrationKind | null;
}

/** How the migrations of a database differ from those of a release. */
interface Comparison {
  /** Those that the database lacks, in order. */
  readonly pending: readonly string[];
  /** Those of later releases with which this one can run. */
  readonly later: readonly string[];
  /** Why this release cannot run on the database, and what to do; null if it can. */
  readonly refusal: string | null;
}

/** This release cannot run on the database as other releases have migrated it. */
export class MigrationsRefusedError extends Error {
  override readonly name = "MigrationsRefusedError";
}

/**
 * The number of Kysely's Migrator, with which releases up to 0.2.0 migrate: they and we wait for each other. The lock
 * belongs to a transaction, not to a session, so that it works through poolers.
 */
const ADVISORY_LOCK = sql.lit("3853314791062309107");
/** PostgreSQL's code for a lock that was not free within `lock_timeout`. */
const LOCK_NOT_AVAILABLE = "55P03";

/** How migrations wait for tables that others use. */
interface LockPatience {
  /** Longest wait of one statement. Others who want the table queue behind it for as long. */
  readonly timeoutMs: number;
  readonly attempts: number;
}

/**
 * Migrates a database to a release. Each migration has a transaction of its own, which also records its name and kind. Of
 * several processes one migrates and the others wait. A process that misses no migration does not wait, even while a
 * later release migrates.
 *
 * @throws MigrationsRefusedError; Error naming the migration that failed, which is rolled back
 */
export async function migrate<Schema>(
  db: Kysely<Schema>,
  release: Release,
  patience: LockPatience = { timeoutMs: 2_000, attempts: 20 },
): Promise<void> {
  for (let failures = 0; ; ) {
    const executed = await executedOf(db, release);
    const { pending, refusal } = compareMigrations(release, executed ?? []);
    if (refusal !== null) throw new MigrationsRefusedError(refusal);
    const isComplete = executed?.every(({ kind }) => kind !== null);
    if (isComplete && pending.length === 0) return;
    try {
      // Apart from the first migration, so that processes of earlier releases can read the table meanwhile.
      if (!isComplete) await exclusively(db, (trx) => prepareTable(trx, release));
      const done = await exclusively(db, (trx) => runNext(trx, release, patience));
      if (done) log.info({ program: release.program, ...done }, "migration done");
    } catch (error) {
      failures += 1;
      if (!isLockTimeout(error) || failures >= patience.attempts) throw error;
      await pause(backoffMs(failures, 5_000));
    }
  }
}

/** Compares the migrations of a database with those of a release. */
export function compareMigrations(
  { program, migrations }: Release,
  executed: readonly Executed[],
): Comparison {
  const done = new Set(executed.map(({ name }) => name));
  const pending = Object.keys(migrations)
    .sort()
    .filter((name) => !done.has(name));
  const unknown = executed.filter(({ name }) => !migrations[name]);
  const later = unknown.map(({ name }) => name);
  const refused = unknown.filter(({ kind }) => kind !== "expand");
  const late = pending.filter((name) => executed.some((each) => each.name > name));
  if (refused.length > 0) {
    const names = refused.map(({ name, kind }) => `${name} (${kind ?? "of unknown kind"})`).join(", ");
    const refusal = `the database of ${program} has migrations of another release that this release cannot run with: ${names}. Run a release that has them, or restore a backup from before them (docs/upgrade.md)`;
    return { pending, later, refusal };
  }
  if (late.length > 0) {
    const refusal = `the database of ${program} has later migrations, but lacks ${late.join(", ")}. Run the release that migrated it, or a later one (docs/upgrade.md)`;
    return { pending, later, refusal };
  }
  return { pending, later, refusal: null };
}

/** Returns the migrations that a database has; undefined if it was never migrated. */
export async function executedOf<Schema>(
  db: Kysely<Schema>,
  { program, renamed = {} }: Release,
): Promise<readonly Executed[] | undefined> {
  const table = tableOf(program);
  const { rows: columns } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`.execute(db);
  if (columns.length === 0) return undefined;
  const kind = columns.some(({ name }) => name === "kind") ? sql.ref("kind") : sql`null`;
  const { rows } = await sql<Executed>`select name, ${kind} as kind from ${sql.table(table)}`.execute(db);
  return rows.map((row) => {
    const name = renamed[row.name];
    // `migrate` records both again.
    return name === undefined ? row : { name, kind: null };
  });
}

function tableOf(program: string): string {
  return `${program}_migration`;
}

/** Runs a change of the schema in a transaction of which the database has one at a time. */
export async function exclusively<Schema, Result>(
  db: Kysely<Schema>,
  run: (trx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
    return await run(trx);
  });
}

/** Makes the table, which is that of Kysely's Migrator with a kind, and completes the rows of earlier releases. */
async function prepareTable<Schema>(
  trx: Transaction<Schema>,
  { program, migrations, renamed = {} }: Release,
): Promise<void> {
  const table = sql.table(tableOf(program));
  await sql`create table if not exists ${table}
    (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(trx);
  await sql`alter table ${table} add column if not exists kind text
    check (kind in ('expand', 'contract'))`.execute(trx);
  for (const [old, name] of Object.entries(renamed)) {
    await sql`update ${table} set name = ${name} where name = ${old}`.execute(trx);
  }
  for (const [name, { kind }] of Object.entries(migrations)) {
    await sql`update ${table} set kind = ${kind} where name = ${name} and kind is null`.execute(trx);
  }
}

/** Runs the first pending migration. @returns what ran; undefined if another process has run all meanwhile */
async function runNext<Schema>(
  trx: Transaction<Schema>,
  release: Release,
  { timeoutMs }: LockPatience,
): Promise<{ migration: string; kind: MigrationKind; ms: number } | undefined> {
  const { program, migrations } = release;
  const { pending, refusal } = compareMigrations(release, (await executedOf(trx, release)) ?? []);
  const [name] = pending;
  const migration = name !== undefined && refusal === null && migrations[name];
  if (!migration) return undefined;
  const { kind } = migration;
  const started = performance.now();
  await sql`set local lock_timeout = ${sql.lit(timeoutMs)}`.execute(trx);
  try {
    await migration.up(trx);
  } catch (cause) {
    const why = isLockTimeout(cause)
      ? "could not lock a table that others use; migrate again when less is going on (docs/upgrade.md)"
      : "failed";
    throw new Error(`migration ${name} of ${program} ${why}`, { cause });
  }
  await sql`insert into ${sql.table(tableOf(program))} (name, timestamp, kind)
    values (${name}, ${new Date().toISOString()}, ${kind})`.execute(trx);
  return { migration: name, kind, ms: Math.round(performance.now() - started) };
}

/** Whether a statement, or what failed because of it, waited too long for a table. */
function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === LOCK_NOT_AVAILABLE) || isLockTimeout(error.cause);
}
