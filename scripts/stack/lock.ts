import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { SettingsError } from "@/lib/settings/read";
import { FolderInUseError, lockFolder } from "@/lib/sql/folder-lock";

/**
 * Makes this process the only owner of a state folder, and closes the folder to other users. Two stacks on one folder
 * would overwrite each other's chains and open the same databases. It takes over the lock of a killed stack at once.
 * @returns a function that releases the lock
 * @throws SettingsError when a running stack owns the folder
 */
export async function lockHome(home: string): Promise<() => Promise<void>> {
  const folder = path.join(home, "run");
  // The lock is per process; this set separates two stacks of one process.
  if (held.has(folder)) throw inUse(home);
  held.add(folder);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    // It holds secrets and databases; an earlier version left it open.
    await chmod(home, 0o700);
    const release = await lockFolder(folder, (cause) =>
      console.error(`lost the lock of ${home}: ${cause.message}`),
    );
    return async () => {
      held.delete(folder);
      await release();
    };
  } catch (error) {
    held.delete(folder);
    throw error instanceof FolderInUseError ? inUse(home) : error;
  }
}

const held = new Set<string>();

function inUse(home: string): SettingsError {
  return new SettingsError([
    `Another Parley already runs on ${home}. Stop it first, or set PARLEY_HOME to another folder (and other ports).`,
  ]);
}
