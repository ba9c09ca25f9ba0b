import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** Calls `use` with a temporary folder and deletes it afterwards. */
export async function withFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
