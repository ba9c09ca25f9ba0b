import type { PGlite } from "@electric-sql/pglite";
import type { Kysely } from "kysely";
import { createDatabase, migrate, type OpenListening, type Database as SqlDatabase } from "@/lib/sql";
import { communityRelease } from "./migrations";
import type { Database } from "./schema";

/** The community's database, open and up to date. */
export interface OpenDatabase {
  readonly db: Kysely<Database>;
  /** Only when embedded. Use Kysely for queries; this is for dumps. */
  readonly pglite?: PGlite;
  /** Counts the pool's connections; absent for a database of a test. */
  readonly connections?: SqlDatabase<Database>["connections"];
  /** Opens a session for LISTEN and NOTIFY, where available. */
  readonly listening?: OpenListening;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** As in lib/sql: `pglite:<folder>`, `pglite:memory`, `postgres://…`, `vercel+postgres://…`. */
  readonly url: string;
  /** Contents of a new embedded database (tests). */
  readonly template?: Blob;
  /** False when the contents are up to date (tests load a migrated template). */
  readonly migrate?: boolean;
}

/**
 * Opens the database a URL names and runs the missing migrations.
 * @throws FolderInUseError when another process has the folder; MigrationsRefusedError; the error of a migration
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const database = await createDatabase<Database>({ url: options.url, template: options.template });
  try {
    if (options.migrate !== false) await migrate(database.db, communityRelease);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
