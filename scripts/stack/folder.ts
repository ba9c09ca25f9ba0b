import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** Linux's file system in memory. */
const MEMORY = "/dev/shm";
/** More than twice what a whole run of the tests keeps at once. */
const ROOM_BYTES = 12 * 1024 ** 3;
const PREFIX = "parley-tests-";

/** Calls `use` with a temporary folder and deletes it afterwards. */
export async function withFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Creates a folder for temporary files in memory. File systems on disks are slow at creating thousands of files:
 * PostgreSQL copies 300 for each test database. Deletes folders of processes that were killed.
 * @returns its path; undefined where there is no such file system or too little memory
 */
export async function createMemoryFolder(): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  if (Math.min(bavail * bsize, os.freemem()) < ROOM_BYTES) return undefined;
  for (const name of await readdir(MEMORY)) {
    const [pid] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split("-") : [];
    if (!pid || existsSync(`/proc/${pid}`)) continue;
    // Another user's is theirs to delete.
    await rm(path.join(MEMORY, name), { recursive: true, force: true }).catch(() => undefined);
  }
  const folder = await mkdtemp(path.join(MEMORY, `${PREFIX}${process.pid}-`));
  // PostgreSQL does not run as root, and its folder is inside this one.
  await chmod(folder, 0o711);
  return folder;
}
