import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import lockfile from "proper-lockfile";
import { z } from "zod";

/** Thrown when another living process owns a database folder. */
export class FolderInUseError extends Error {
  override name = "FolderInUseError";
  constructor(folder: string, owner: string) {
    super(
      `The database folder ${folder} is in use by ${owner}. PGlite allows one process per folder: ` +
        "stop the other process, or give this one its own database URL.",
    );
  }
}

const ownerSchema = z.object({ pid: z.int(), host: z.string() });

/** A process that does not refresh its lock for this long (frozen, or on another machine) loses it. */
const staleAfterMs = 30_000;

/**
 * Takes the exclusive lock of a folder and creates the folder if needed. Takes over the lock of a dead process on this
 * machine at once, so a restart after a crash does not wait.
 *
 * @returns a function that releases the lock
 * @throws FolderInUseError if a living process holds it
 */
export async function lockFolder(
  folder: string,
  onLost: (cause: Error) => void,
): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // PGlite makes its files world-readable, so only the owner may enter the folder. Also fixes existing folders.
  await chmod(folder, 0o700);
  // Checking the old owner and becoming the new one must be one step. Otherwise two processes that both see a dead owner
  // would both remove the lock, the second one removing the first one's.
  // (A file name of its own: proper-lockfile keeps one entry per locked file, whatever the lock's path.)
  const releaseGuard = await lockfile.lock(`${folder}.guard`, {
    realpath: false,
    stale: 10_000,
    retries: { retries: 50, minTimeout: 100, maxTimeout: 300 },
  });
  try {
    const ownerFile = `${folder}.owner.json`;
    const lockfilePath = `${folder}.lock`;
    if (await lockfile.check(folder, { lockfilePath, stale: staleAfterMs })) {
      const owner = await readOwner(ownerFile);
      if (!owner || isAlive(owner)) {
        throw new FolderInUseError(
          folder,
          owner ? `process ${owner.pid} on ${owner.host}` : "another process",
        );
      }
      // The lock is a directory; its dead owner neither refreshes nor removes it.
      await rm(lockfilePath, { recursive: true, force: true });
    }
    const release = await lockfile.lock(folder, { lockfilePath, stale: staleAfterMs, onCompromised: onLost });
    await writeFile(ownerFile, JSON.stringify({ pid: process.pid, host: os.hostname() }));
    return release;
  } finally {
    await releaseGuard();
  }
}

async function readOwner(file: string): Promise<z.infer<typeof ownerSchema> | undefined> {
  try {
    return ownerSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}

function isAlive(owner: { pid: number; host: string }): boolean {
  // Another machine's process ids (shared volume) mean nothing here: only its lock going stale does.
  if (owner.host !== os.hostname()) return true;
  // Our own pid, but we do not hold the lock: an earlier run, as in containers (always pid 1).
  if (owner.pid === process.pid) return false;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
