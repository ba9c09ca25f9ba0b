import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { FolderInUseError, lockFolder } from "@/lib/sql/folder-lock";
import { SettingsError } from "./settings";

/**
 * Makes this process the only owner of a state folder, which no other user may read. Two stacks on one folder would overwrite each
 * other's chains and open the same databases. A lock left by a killed stack is taken over at once.
 * @returns gives the folder free again
 * @throws SettingsError when a living stack owns it
 */
export async function lockHome(home: string): Promise<() => Promise<void>> {
  const folder = path.join(home, "run");
  // The lock knows processes; two stacks of one process are told apart here.
  if (held.has(folder)) throw inUse(home);
  held.add(folder);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    // Secrets and databases lie in it; an earlier version left it open.
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
  return new SettingsError(
    `Another Parley already runs on ${home}. Stop it first, or set PARLEY_HOME to another folder (and other ports).`,
  );
}
