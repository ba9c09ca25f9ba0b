import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import type { PostgresPool } from "kysely";
import pg from "pg";
import type { PoolUse } from "@/lib/metrics";
import { lockFolder } from "./folder-lock";
import { serveHolds } from "./hold";
import { pgTypes, valueParsers } from "./parsers";
import { preparing, useOf } from "./prepared";

export interface PGliteOpenOptions {
  /** Contents of a new database, from `pglite.dumpDataDir()`: tests load a migrated one in half a second. */
  template?: Blob;
}

/** A database with its only connection, which all its users share. */
interface Embedded {
  readonly pglite: PGlite;
  readonly pool: PostgresPool;
  /** Takes the pool's only connection. */
  readonly connect: () => Promise<pg.PoolClient>;
  readonly connections: () => PoolUse;
}

interface OpenFolder {
  embedded: Promise<Embedded>;
  users: number;
  close(): Promise<void>;
}

/** Open folders of this process. */
const folders = new Map<string, OpenFolder>();

/** A share of an open PGlite; releasing the last share closes it and unlocks its folder. */
interface PGliteShare extends Embedded {
  release(): Promise<void>;
}

/** Opens a new database in memory. */
export async function openMemory(options: PGliteOpenOptions): Promise<PGliteShare> {
  const embedded = await start(undefined, options);
  return { ...embedded, release: () => close(embedded) };
}

/** Opens the database in a folder, once per process. @throws FolderInUseError if another process has it open */
export async function openFolder(directory: string, options: PGliteOpenOptions): Promise<PGliteShare> {
  const folder = path.resolve(directory);
  const open = folders.get(folder) ?? startFolder(folder, options);
  open.users += 1;
  const embedded = await open.embedded;
  let released = false;
  return {
    ...embedded,
    async release() {
      if (released) return;
      released = true;
      open.users -= 1;
      if (open.users === 0) {
        folders.delete(folder);
        await open.close();
      }
    },
  };
}

function startFolder(folder: string, options: PGliteOpenOptions): OpenFolder {
  let unlock: (() => Promise<void>) | undefined;
  let endHolds: (() => Promise<void>) | undefined;
  const embedded = (async () => {
    unlock = await lockFolder(folder, (cause) => {
      // Another process may write to the folder now: any further write of ours would corrupt it.
      console.error(`lost the lock of ${folder}: ${cause.message}`);
      process.exit(1);
    });
    try {
      const started = await start(folder, options);
      endHolds = await serveHolds(folder, started);
      return started;
    } catch (error) {
      await unlock();
      throw error;
    }
  })();
  const open: OpenFolder = {
    embedded,
    users: 0,
    async close() {
      const opened = await embedded;
      await endHolds?.();
      await close(opened);
      await unlock?.();
    },
  };
  folders.set(folder, open);
  embedded.catch(() => folders.delete(folder));
  return open;
}

async function start(dataDir: string | undefined, options: PGliteOpenOptions): Promise<Embedded> {
  const pglite = await PGlite.create({
    dataDir,
    // PGlite needs them at every open.
    extensions: { btree_gin, pg_trgm },
    parsers: valueParsers,
    loadDataDir: options.template,
  });
  // PGlite's own client parses and plans each statement anew, which takes most of a query's time.
  const pool = new pg.Pool({ ...createPgConfig(pglite), max: 1, idleTimeoutMillis: 0, types: pgTypes() });
  return {
    pglite,
    pool: preparing(pool),
    connect: () => pool.connect(),
    connections: () => useOf(pool),
  };
}

async function close({ pglite, pool }: Embedded): Promise<void> {
  await pool.end();
  await pglite.close();
}
