import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { lockFolder } from "./folder-lock";
import { valueParsers } from "./parsers";

export interface PGliteOpenOptions {
  /** Contents of a new database, from `pglite.dumpDataDir()`: tests load a migrated one in half a second. */
  template?: Blob;
}

interface OpenFolder {
  pglite: Promise<PGlite>;
  users: number;
  close(): Promise<void>;
}

/** Open folders of this process. */
const folders = new Map<string, OpenFolder>();

/** A share of an open PGlite; releasing the last share closes it and unlocks its folder. */
interface PGliteShare {
  pglite: PGlite;
  release(): Promise<void>;
}

/** Opens a new database in memory. */
export async function openMemory(options: PGliteOpenOptions): Promise<PGliteShare> {
  const pglite = await start(undefined, options);
  return { pglite, release: () => pglite.close() };
}

/** Opens the database in a folder, once per process. @throws FolderInUseError if another process has it open */
export async function openFolder(directory: string, options: PGliteOpenOptions): Promise<PGliteShare> {
  const folder = path.resolve(directory);
  const open = folders.get(folder) ?? startFolder(folder, options);
  open.users += 1;
  const pglite = await open.pglite;
  let released = false;
  return {
    pglite,
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
  const pglite = (async () => {
    unlock = await lockFolder(folder, (cause) => {
      // Another process may write to the folder now: any further write of ours would corrupt it.
      console.error(`lost the lock of ${folder}: ${cause.message}`);
      process.exit(1);
    });
    try {
      return await start(folder, options);
    } catch (error) {
      await unlock();
      throw error;
    }
  })();
  const open: OpenFolder = {
    pglite,
    users: 0,
    async close() {
      await (await pglite).close();
      await unlock?.();
    },
  };
  folders.set(folder, open);
  pglite.catch(() => folders.delete(folder));
  return open;
}

async function start(dataDir: string | undefined, options: PGliteOpenOptions): Promise<PGlite> {
  return await PGlite.create({
    dataDir,
    // PGlite needs them at every open.
    extensions: { btree_gin, pg_trgm },
    parsers: valueParsers,
    loadDataDir: options.template,
  });
}
