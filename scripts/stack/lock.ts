import path from "node:path";
import { FolderInUseError, lockFolder } from "@/lib/sql/folder-lock";
import { SettingsError } from "./settings";

/**
 * Makes this process the only owner of a state folder. Two stacks on one folder would overwrite each
 * other's chains and open the same databases. A lock left by a killed stack is taken over at once.
 * @returns gives the folder free again
 * @throws SettingsError when a living stack owns it
 */
export async function lockHome(home: string): Promise<() => Promise<void>> {
  try {
    return await lockFolder(path.join(home, "run"), (cause) =>
      console.error(`lost the lock of ${home}: ${cause.message}`),
    );
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new SettingsError(
      `Another Parley already runs on ${home}. Stop it first, or set PARLEY_HOME to another folder (and other ports).`,
    );
  }
}
